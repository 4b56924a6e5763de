import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installPackage } from './apt.mjs'

const places = ['/usr/bin/turnserver', '/usr/local/bin/turnserver']

/** The system's coturn (TURNSERVER names another); undefined where there is none. */
export const findTurnserver = () => process.env.TURNSERVER || places.find((file) => existsSync(file))

/** Installs coturn for the stories of calls where that is possible; elsewhere the stories that need it are skipped. */
export function ensureTurnserver() {
  if (findTurnserver()) return
  console.log('Instalando coturn…')
  // The package brings a service that starts at once, and at every boot: the stories start servers of their own.
  const running = existsSync('/run/systemd/system')
  if (running) systemctl('mask', '--runtime', 'coturn.service')
  if (installPackage('coturn')) systemctl('disable', 'coturn.service')
  if (running) systemctl('unmask', '--runtime', 'coturn.service')
  if (!findTurnserver()) console.log('No se pudo instalar coturn: se omiten las pruebas que lo necesitan.')
}

const systemctl = (...args) => spawnSync('systemctl', args, { stdio: 'ignore' })
