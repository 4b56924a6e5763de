import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installPackage } from './apt.mjs'
import { command, fail, toolEnv } from './bootstrap.mjs'

/** The browser without its windows, which Playwright too prefers: a story costs a third less work than in the whole one. */
const shell = '/usr/bin/chromium-headless-shell'
const whole = '/usr/bin/chromium'
const places = [shell, whole, '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The system's Chromium (CHROMIUM names another); undefined leaves it to Playwright's own. */
export const findChromium = () => process.env.CHROMIUM || places.find(runs)

/** Installs a Chromium where there is none, and beside the whole one of Debian the one without windows. */
export function ensureChromium() {
  if (process.env.CHROMIUM && !runs(process.env.CHROMIUM)) fail(`CHROMIUM=${process.env.CHROMIUM} no arranca`)
  const found = findChromium()
  if (found && found !== whole) return
  console.log('Instalando Chromium…')
  installPackage('chromium-headless-shell')
  if (findChromium()) return
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
