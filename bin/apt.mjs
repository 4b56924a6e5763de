import { spawnSync } from 'node:child_process'

const aptGet = (...args) =>
  spawnSync('apt-get', args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  }).status === 0

/** Asks Debian what there is, as root only; answers whether that went well. */
export const updatePackages = () => process.getuid?.() === 0 && aptGet('update')

/** Installs a package of Debian's, as root only; answers whether that went well. */
export const installPackage = (name) =>
  updatePackages() && aptGet('install', '-y', '--no-install-recommends', name)
