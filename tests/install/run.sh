#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD TESTS: installs the build to a scratch folder and builds against it what others would.
set -eu

build=$1
tests=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
    echo "FAIL: $*" >&2
    [ ! -s log ] || tail -n 40 log >&2
    exit 1
}

# quietly WHAT COMMAND...
quietly() {
    what=$1
    shift
    "$@" >log 2>&1 || fail "$what"
}

# The command must end with that code and print the text on either stream.
expect() {
    code=$1
    text=$2
    shift 2
    status=0
    "$@" >log 2>&1 || status=$?
    [ "$status" = "$code" ] || fail "exit code $status, expected $code: $*"
    grep -qF -- "$text" log || fail "does not say '$text': $*"
}

# build_project FOLDER: with CMake, as its README says.
build_project() {
    quietly "configuring $1" cmake -G Ninja -S "$1" -B "$1/build" -D CMAKE_PREFIX_PATH="$prefix"
    quietly "building $1" cmake --build "$1/build"
}

# expect_exports FILE SYMBOL: that, and nothing else.
expect_exports() {
    found=$(nm -D --defined-only "$1" | awk '{print $3}' | grep -Ev '^__(asan|ubsan|odr_asan)' || true)
    [ "$found" = "$2" ] || fail "$1 exports $(echo "$found" | tr '\n' ' ')"
}

install_and_move() {
    quietly "installing" cmake --install "$build" --prefix "$scratch/first"
    mv first moved
    prefix=$scratch/moved
    heddle=$prefix/bin/heddle
    machines=$prefix/share/heddle/configs/machines
    PKG_CONFIG_PATH=$prefix/lib/pkgconfig:$prefix/lib/$(uname -m)-linux-gnu/pkgconfig
    export PKG_CONFIG_PATH
    expect 0 "heddle 0." "$heddle" --version
    expect 0 "PASS  vecadd on gtx480_functional" "$heddle" run gtx480_functional vecadd --set app.n=1000
    expect 0 "PASS  vector_core" "$heddle" run vector_core --set os.program=v_strlen --set os.arguments="10 1 2"
    expect 0 "PASS  vector_big_little" "$heddle" run vector_big_little --set os.program=pin_nest
    expect 0 "$prefix/share/heddle/configs/cards: cards, as they are sold" "$heddle" list machines
    expect 0 "$prefix/share/heddle/configs/variants: variants of machines" "$heddle" list machines
}

# Each header stands by itself, in C11 and in C++17.
check_headers() {
    include=$prefix/include/heddle
    for header in "$include"/heddle.h "$include"/heddle_errors.h "$include"/hd_*.h "$include"/kit/*.h; do
        echo "#include \"$header\"" >header
        for language in "c -std=c11" "c++ -std=c++17"; do
            # shellcheck disable=SC2086
            quietly "$header as $language" ${CC:-cc} -x $language -fsyntax-only -Wall -Wextra -Werror \
                -I"$include" header
        done
    done
}

check_block() {
    expect 0 "./toy_memory/README.md" "$heddle" new block toy_memory
    build_project toy_memory
    quietly "tests of the new block" ctest --test-dir toy_memory/build --output-on-failure
    expect_exports toy_memory/build/toy_memory.so heddle_plugin_entry
    expect 0 "PASS  vecadd on toy_memory_machine" "$heddle" run toy_memory/machine.yaml vecadd --set app.n=5000 --out cmake
    expect 0 "a memory that answers after a fixed time" "$heddle" list dram --plugin toy_memory/build/toy_memory.so
    expect 0 "toy_memory.so" "$heddle" check toy_memory/machine.yaml --resolved
    slower=$("$heddle" run toy_memory/machine.yaml vecadd --set app.n=5000 --set dram.latency='400 cycles' | grep '^simulated')
    ! "$heddle" run toy_memory/machine.yaml vecadd --set app.n=5000 | grep -qxF "$slower" || fail "latency changes nothing"
}

# The same sources with pkg-config, loaded from the plug-in folder: the same results.
check_block_with_pkg_config() {
    mkdir pkg
    # shellcheck disable=SC2046,SC2086
    quietly "pkg-config build" ${CC:-cc} ${CFLAGS:-} -std=c17 -fPIC -shared -fvisibility=hidden \
        $(pkg-config --cflags heddle) toy_memory/toy_memory.c toy_memory/plugin.c -o pkg/toy_memory.so
    expect_exports pkg/toy_memory.so heddle_plugin_entry
    cp pkg/toy_memory.so "$(pkg-config --variable=plugindir heddle)"
    sed 's|build/toy_memory.so|toy_memory.so|' toy_memory/machine.yaml >pkg/machine.yaml
    rm pkg/toy_memory.so
    expect 0 "PASS" "$heddle" run pkg/machine.yaml vecadd --set app.n=5000 --out pkg
    for run in cmake pkg; do
        sed '/^ "host": {/,/^ }/d' $run/stats.json >$run.json
    done
    grep -q '"simulated_ps"' cmake.json && cmp -s cmake.json pkg.json || fail "the two builds differ"
    # shellcheck disable=SC2046,SC2086
    quietly "kit with pkg-config" ${CC:-cc} ${CFLAGS:-} toy_memory/test_toy_memory.c toy_memory/toy_memory.c \
        $(pkg-config --cflags --libs heddle-test-kit criterion) -o pkg/test
    quietly "kit's test" pkg/test
}

# What the skeleton's test is for: it sees a block that breaks the rules.
check_planted_bugs() {
    for bug in 's/self->edge + self->latency}/self->edge + self->latency - 1}/' \
        's/    self->starved = 0;$//; s/        self->edge++;/        self->edge += 2;/' \
        's/    self->first = self->edge = 0;/    self->first = 0;/' \
        's/    memset(self->counters/    if (0) memset(self->counters/'; do
        sed "$bug" toy_memory/toy_memory.c >pkg/toy_memory.c
        ! cmp -s toy_memory/toy_memory.c pkg/toy_memory.c || fail "nothing planted by $bug"
        # shellcheck disable=SC2046,SC2086
        quietly "building a planted bug" ${CC:-cc} ${CFLAGS:-} -Itoy_memory toy_memory/test_toy_memory.c pkg/toy_memory.c \
            $(pkg-config --cflags --libs heddle-test-kit criterion) -o pkg/test
        ! pkg/test >log 2>&1 || fail "the skeleton's test does not see $bug"
    done
}

# Units of every kind, with nothing but what is installed.
check_units() {
    for toy in toy_units toy_scheduler toy_spinning toy_scoreboard toy_reconvergence toy_transactions toy_policy; do
        cp -r "$tests/plugin/$toy" .
        build_project $toy
        expect_exports $toy/build/$toy.so heddle_plugin_entry
    done
    for unit in toy_units:scheduler=youngest toy_scheduler:scheduler=paced toy_spinning:spin=repeats toy_scoreboard:scoreboard=entries \
        toy_reconvergence:reconvergence=lowest_pc; do
        toy=${unit%%:*}
        expect 0 "PASS" "$heddle" run gtx480 hashtable --set app.grid=4 --set app.inserts=2 \
            --plugin "$toy/build/$toy.so" --set "core.${unit#*:}"
    done
    expect 0 "are serialisable" "$heddle" run toy_transactions/machine.yaml hashtable --set app.sync=tm --set app.grid=4 --check-tx \
        --plugin toy_transactions/build/toy_transactions.so
    expect 0 "PASS" "$heddle" run gtx480 hashtable --set app.grid=4 --set app.inserts=2 --set core.context.engine=stream \
        --set core.context.levels=blocks --plugin toy_policy/build/toy_policy.so --set tb_scheduler.policy=memory_shy
}

check_systemc() {
    cp -r "$tests/plugin/foreign_models" .
    sed "s|@machines@|$machines|" foreign_models/machine.yaml.in >foreign_models/machine.yaml
    build_project foreign_models
    expect_exports foreign_models/build/foreign_models.so heddle_systemc_entry
    machine=foreign_models/machine.yaml
    for type in loose timed; do
        expect 0 "PASS  vecadd on foreign" "$heddle" run $machine vecadd --set app.n=5000 --set dram.type=${type}_memory
    done
    expect 0 "PASS  hashtable on foreign" "$heddle" run $machine hashtable --set app.grid=4 --set app.inserts=2
    expect 2 "'latency' of block 'dram'" "$heddle" check $machine --set dram.latency=3
    cp -r "$tests/plugin/foreign_cpu" .
    build_project foreign_cpu
    expect_exports foreign_cpu/build/foreign_cpu.so heddle_systemc_entry
    sed -i 's/    return new loose_memory/    throw std::runtime_error("no licence for this model");\n&/' foreign_models/plugin.cpp
    build_project foreign_models
    expect 2 "dram[0]: no licence for this model" "$heddle" run $machine vecadd
    sed -i 's/"access") \&\&/"entrance") \&\&/; /no licence/d' foreign_models/plugin.cpp
    build_project foreign_models
    expect 2 "dram[0]: port access needs a target socket of the base protocol; the plug-in gives nothing" \
        "$heddle" run $machine vecadd
}

# A design of somebody else's, of which machines are modules; what it reports appears.
check_module() {
    cp -r "$tests/plugin/outer_platform" .
    build_project outer_platform
    design=outer_platform/build/outer_platform
    kernels=$prefix/libexec/heddle/apps/vecadd/kernel.elf
    expect 0 "Warning: platform: it is an example" $design "$machines/../variants/gtx480_firmware.yaml" "$kernels"
    expect 0 "Info: platform: cpu_1 is done" $design "$machines/../variants/gtx480_firmware_dma.yaml" "$kernels" copies devices=2
}

# An app on every host, and its host.c as a program that embeds the library.
check_app() {
    mkdir apps
    expect 0 "apps/twice/README.md" "$heddle" new app twice --to apps
    mv apps/twice apps/renamed
    build_project apps/renamed
    mv apps/renamed apps/twice
    rm -r apps/twice/build
    build_project apps/twice
    expect 0 "PASS  twice on gtx480" "$heddle" run "$machines/gtx480.yaml" ./apps/twice/build/apps/twice --set app.n=1000
    expect 0 "PASS  twice on gtx480_firmware" "$heddle" run "$machines/../variants/gtx480_firmware.yaml" \
        ./apps/twice/build/apps/twice --set app.n=1000
    # shellcheck disable=SC2046,SC2086
    quietly "an app that embeds" ${LINKER:-${CC:-cc}} ${CFLAGS:-} ${LDFLAGS:-} -x c apps/twice/host.c -x none \
        -I"$prefix/include/heddle/firmware" -Iapps/twice -lheddle_host $(pkg-config --libs heddle) \
        -Wl,-rpath,"$(pkg-config --variable=libdir heddle)" -o twice
    expect 0 "PASS" ./twice "$machines/gtx480.yaml" apps/twice/build/apps/twice --set app.n=1000
    expect 1 "has no option 'm'; it has: n" ./twice "$machines/gtx480.yaml" apps/twice/build/apps/twice --set app.m=1
    sed -i 's/2 \* x\[i\] + 1;/2 * x[i];/' apps/twice/kernel.c
    build_project apps/twice
    expect 1 "y[0] is" ./twice "$machines/gtx480.yaml" apps/twice/build/apps/twice --set app.n=1000
    expect 1 "y[0] is" "$heddle" run "$machines/gtx480.yaml" ./apps/twice/build/apps/twice --set app.n=1000
}

# A program of somebody else's, with pkg-config and with CMake.
check_embedding() {
    # shellcheck disable=SC2046,SC2086
    quietly "embedding" ${CC:-cc} ${CFLAGS:-} -std=c11 -c "$tests/install/embed.c" $(pkg-config --cflags heddle) -o embed.o
    # shellcheck disable=SC2046,SC2086
    quietly "linking" ${LINKER:-${CC:-cc}} ${LDFLAGS:-} embed.o $(pkg-config --libs heddle) \
        -Wl,-rpath,"$(pkg-config --variable=libdir heddle)" -o embed
    expect 0 "40 words, 2 at each place" ./embed gtx480 "$prefix/libexec/heddle/apps/vecadd/kernel.elf"
    expect 1 "No such file" ./embed "$machines/gtx480.yaml" nowhere.elf
    mkdir embedding
    cp "$tests/install/embed.c" embedding
    printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(embedding C)' 'find_package(heddle REQUIRED)' \
        'add_executable(embed embed.c)' 'target_link_libraries(embed heddle::heddle)' >embedding/CMakeLists.txt
    [ -n "${CFLAGS:-}" ] || build_project embedding
}

# Between L2 and DRAM, and between cores and network: as it is, and whatever carries packets.
check_block_between() {
    expect 0 "./relay/README.md" "$heddle" new block --between relay
    expect 2 "--between is for blocks; a new app was asked for" "$heddle" new app --between other
    build_project relay
    quietly "tests of the new block between others" ctest --test-dir relay/build --output-on-failure
    expect_exports relay/build/relay.so heddle_plugin_entry
    for machine in machine network; do
        expect 0 "is in order" "$heddle" check relay/$machine.yaml
        for how in --tlm=auto --tlm=checked --threads=2; do
            expect 0 "PASS  hashtable on relay_$machine" "$heddle" run relay/$machine.yaml hashtable --set app.grid=4 \
                --set app.inserts=2 $how
            grep '^simulated' log >relay/$machine$how
            cmp -s relay/$machine--tlm=auto relay/$machine$how || fail "$how changes the time"
        done
        expect 0 "PASS  bfs on relay_$machine" "$heddle" run relay/$machine.yaml bfs --set app.scale=8 \
            --set core.type=functional
        expect 0 "PASS" "$heddle" run relay/$machine.yaml hashtable --set app.grid=4 --set app.inserts=2 \
            --set stage.latency="90 cycles"
        ! grep -qxF "$(cat relay/$machine--tlm=auto)" log || fail "latency changes nothing"
    done
    expect 2 "'room' of block 'stage'" "$heddle" check relay/machine.yaml --set stage.room=0
}

# check_tutorial PAGE: step by step, with the variables that the page sets and no others: half an hour is promised to a
# person, who also reads.
check_tutorial() {
    page=$tests/../docs/$1
    mkdir -p tools
    printf '#!/bin/sh\nexec %s %s "$@"\n' "${CC:-/usr/bin/cc}" "${CFLAGS:-}" >tools/cc
    chmod +x tools/cc
    begin=$(date +%s)
    (
        unset PKG_CONFIG_PATH
        eval "$(sed -n "/^export PATH=/s|~/heddle|$prefix|gp" "$page")"
        PATH=$scratch/tools:$PATH quietly "the tutorial" "$tests/docs/run_examples.sh" "$tests/.." "$heddle" "$page"
    )
    seconds=$(($(date +%s) - begin))
    echo "$(tail -n 1 log), from heddle new to the last run in $seconds s"
    [ "$seconds" -lt 300 ] || fail "the tutorial took $seconds s"
}

check_refusals() {
    expect 2 "error[N42]: plug-in" "$heddle" run toy_memory/machine.yaml vecadd --plugin nowhere.so
    expect 2 "error[N43]: plug-in" "$heddle" check toy_memory/machine.yaml --plugin "$tests/install/run.sh"
    expect 2 "error[N44]: '" "$heddle" graph toy_memory/machine.yaml --plugin "$prefix/libexec/heddle/apps/vecadd/host.so"
    cp toy_memory/build/toy_memory.so copy.so
    expect 2 "error[N47]: plug-in 'toy_memory/build/toy_memory.so' defines dram/toy_memory, as plug-in './copy.so' does" \
        "$heddle" check toy_memory/machine.yaml --plugin copy.so
    expect 2 "File exists" "$heddle" new block toy_memory
    expect 2 "did you mean 'block'" "$heddle" new blok x
    expect 2 "is no name" "$heddle" new app Big
    expect 2 "has a meaning of its own" "$heddle" new block switch
    expect 2 "has a meaning of its own" "$heddle" new block kit
    expect 2 "No such file or directory" "$heddle" new app elsewhere --to nowhere
}

install_and_move
check_headers
check_block
check_block_with_pkg_config
check_planted_bugs
check_block_between
check_units
check_systemc
check_module
check_app
check_embedding
check_tutorial add-a-block.md
check_tutorial add-a-block-between.md
check_refusals
echo "installed, built and run"
