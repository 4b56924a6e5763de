// System programs that tests need: found, or installed where possible.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { command, fail, installPackage, root, toolEnv, updatePackages } from './bootstrap.mjs'

const chromiumPlaces = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const headlessShell = '/usr/bin/chromium-headless-shell'

/** The system's Chromium (CHROMIUM names another); undefined leaves it to Playwright's own. */
export const findChromium = () => process.env.CHROMIUM || chromiumPlaces.find(runs)

/**
 * The same browser without windows (headless shell), if available: a story costs a third less work in it. Else the full
 * one.
 */
export const findShell = () =>
  process.env.CHROMIUM_SHELL ||
  (!process.env.CHROMIUM && runs(headlessShell) ? headlessShell : findChromium())

/** Installs Debian's Chromium where there is none, or Playwright's elsewhere; with Debian's also its headless shell. */
export function ensureChromium() {
  if (process.env.CHROMIUM) {
    if (!runs(process.env.CHROMIUM)) fail(`CHROMIUM=${process.env.CHROMIUM} does not run`)
    return
  }
  if (!findChromium()) installChromium()
  if (findChromium() === chromiumPlaces[0] && !runs(headlessShell)) installPackage('chromium-headless-shell')
}

function installChromium() {
  console.log('Installing Chromium…')
  const isRoot = process.getuid?.() === 0
  if (installPackage('chromium') && findChromium()) return
  const [node, ...args] = command('@playwright/test', 'playwright')
  const done = spawnSync(node, [...args, 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'], {
    env: toolEnv(),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (done.status !== 0)
    fail('Could not install Chromium: install it and set CHROMIUM=/path/to/chromium', done.status ?? 1)
}

const runs = (file) => existsSync(file) && spawnSync(file, ['--version'], { stdio: 'ignore' }).status === 0

const turnserverPlaces = ['/usr/bin/turnserver', '/usr/local/bin/turnserver']

/** The system's coturn (TURNSERVER names another); undefined where there is none. */
export const findTurnserver = () =>
  process.env.TURNSERVER || turnserverPlaces.find((file) => existsSync(file))

/** Installs coturn for the call stories where possible; elsewhere the stories that need it are skipped. */
export function ensureTurnserver() {
  if (findTurnserver()) return
  console.log('Installing coturn…')
  // The package installs a service that starts at once and at every boot; the stories start their own servers.
  const running = existsSync('/run/systemd/system')
  if (running) systemctl('mask', '--runtime', 'coturn.service')
  if (installPackage('coturn')) systemctl('disable', 'coturn.service')
  if (running) systemctl('unmask', '--runtime', 'coturn.service')
  if (!findTurnserver()) console.log('Could not install coturn: the tests that need it are skipped.')
}

const systemctl = (...args) => spawnSync('systemctl', args, { stdio: 'ignore' })

const prometheusCache = path.join(root, 'node_modules/.cache/prometheus')

/** The folder of a Prometheus and its promtool (PROMETHEUS_BIN names another); undefined where there is none. */
const findPrometheus = () =>
  [process.env.PROMETHEUS_BIN, '/usr/bin', path.join(prometheusCache, 'usr/bin')].find(
    (folder) => folder && existsSync(path.join(folder, 'promtool')),
  )

/**
 * The same folder; where there is none, fetches Debian's package. Its programs have no other dependencies, so it is
 * only unpacked here and installs no service. Elsewhere the tests that need a real Prometheus are skipped.
 */
export function ensurePrometheus() {
  if (!findPrometheus()) {
    console.log('Downloading Prometheus…')
    mkdirSync(prometheusCache, { recursive: true })
    const fetched =
      run('apt-get', 'download', 'prometheus') ||
      (updatePackages() && run('apt-get', 'download', 'prometheus'))
    const file = fetched && readdirSync(prometheusCache).find((name) => name.endsWith('.deb'))
    if (!file || !run('dpkg-deb', '--extract', file, '.'))
      console.log('Could not download Prometheus: the tests that need it are skipped.')
  }
  return findPrometheus()
}

const run = (...[program, ...args]) =>
  spawnSync(program, args, { cwd: prometheusCache, stdio: 'ignore' }).status === 0
