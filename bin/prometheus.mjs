import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { updatePackages } from './apt.mjs'
import { root } from './bootstrap.mjs'

const cache = path.join(root, 'node_modules/.cache/prometheus')

/** The folder of a Prometheus and its promtool (PROMETHEUS_BIN names another); undefined where there is none. */
const findPrometheus = () =>
  [process.env.PROMETHEUS_BIN, '/usr/bin', path.join(cache, 'usr/bin')].find(
    (folder) => folder && existsSync(path.join(folder, 'promtool')),
  )

/**
 * The same folder, where there is none after fetching Debian's package: its programs need nothing else, so it is only
 * unpacked here, and brings no service to the machine. Elsewhere the tests that ask a real one are skipped.
 */
export function ensurePrometheus() {
  if (!findPrometheus()) {
    console.log('Descargando Prometheus…')
    mkdirSync(cache, { recursive: true })
    const fetched =
      run('apt-get', 'download', 'prometheus') ||
      (updatePackages() && run('apt-get', 'download', 'prometheus'))
    const file = fetched && readdirSync(cache).find((name) => name.endsWith('.deb'))
    if (!file || !run('dpkg-deb', '--extract', file, '.'))
      console.log('No se pudo descargar Prometheus: se omiten las pruebas que lo necesitan.')
  }
  return findPrometheus()
}

const run = (...[program, ...args]) => spawnSync(program, args, { cwd: cache, stdio: 'ignore' }).status === 0
