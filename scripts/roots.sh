# shellcheck shell=bash
# scripts/roots.sh - new, minimal systems to try commands in; for scripts/bare-root and scripts/check-release.
#
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

# roots_need: fails unless root runs the script and its tools are installed
roots_need() {
    [[ $(id -u) -eq 0 ]] || bad "must be run by root, for debootstrap and chroot"
    local tool
    for tool in git debootstrap unshare; do
        command -v "$tool" >/dev/null || bad "$tool is missing; scripts/setup --packages installs it"
    done
}

# new_root SUITE FOLDER LOG: a new Debian or Ubuntu of debootstrap's variant minbase, which has no compiler and no Python,
# with this machine's apt and network settings. The mirrors are DEBIAN_MIRROR and UBUNTU_MIRROR. debootstrap does not check
# Ubuntu's signature if this machine lacks its key; the new system's apt-get checks it.
new_root() {
    local source=("${DEBIAN_MIRROR:-http://deb.debian.org/debian}")
    local options=(--variant=minbase)
    if grep -qs ubuntu "/usr/share/debootstrap/scripts/$1"; then
        source=("${UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}")
        options+=("--components=main,universe")
    fi
    rm -rf --one-file-system -- "$2"
    mkdir -p "$2"
    debootstrap "${options[@]}" "$1" "$2" "${source[@]}" >"$3" 2>&1 || { tail -n 20 "$3" >&2 && bad "debootstrap failed"; }
    cp -aL /etc/apt/apt.conf.d/. "$2/etc/apt/apt.conf.d"
    cp -L /etc/resolv.conf "$2/etc/resolv.conf"
}

# within FOLDER COMMAND...: runs a command in that system, with this machine's devices and a process namespace; all mounts
# end with the command
within() {
    # shellcheck disable=SC2016
    unshare --mount --pid --fork bash -euc 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"' \
        "$1" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "${@:2}"
}
