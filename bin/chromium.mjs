import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installPackage } from './apt.mjs'
import { command, fail, toolEnv } from './bootstrap.mjs'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const shell = '/usr/bin/chromium-headless-shell'

/** The system's Chromium (CHROMIUM names another); undefined leaves it to Playwright's own. */
export const findChromium = () => process.env.CHROMIUM || places.find(runs)

/** The same browser without its windows, where it is: a story costs a third less work in it. Else the whole one. */
export const findShell = () =>
  process.env.CHROMIUM_SHELL || (!process.env.CHROMIUM && runs(shell) ? shell : findChromium())

/** Installs Debian's Chromium where there is none, or Playwright's elsewhere; and beside Debian's the one without windows. */
export function ensureChromium() {
  if (process.env.CHROMIUM) {
    if (!runs(process.env.CHROMIUM)) fail(`CHROMIUM=${process.env.CHROMIUM} no arranca`)
    return
  }
  if (!findChromium()) installWhole()
  if (findChromium() === places[0] && !runs(shell)) installPackage('chromium-headless-shell')
}

function installWhole() {
  console.log('Instalando Chromium…')
  const isRoot = process.getuid?.() === 0
  if (installPackage('chromium') && findChromium()) return
  const [node, ...args] = command('@playwright/test', 'playwright')
  const done = spawnSync(node, [...args, 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'], {
    env: toolEnv(),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (done.status !== 0)
    fail(
      'No se pudo instalar Chromium: instálalo y di dónde está con CHROMIUM=/ruta/de/chromium',
      done.status ?? 1,
    )
}

const runs = (file) => existsSync(file) && spawnSync(file, ['--version'], { stdio: 'ignore' }).status === 0
