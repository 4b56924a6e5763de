import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'

/** The secret of the relay that a test starts. */
export const turnSecret = 'relay-of-the-tests'

/** Debian's coturn on this machine only, as deploy/coturn has it but for the networks it may reach. */
export async function startTurnServer(file: string, port: number) {
  const here = '127.0.0.1'
  const options = {
    'listening-ip': here,
    'relay-ip': here,
    'listening-port': port,
    'min-port': 49_160,
    'max-port': 49_260,
    'static-auth-secret': turnSecret,
    realm: 'carga.test',
    pidfile: '/dev/null',
    'log-file': 'stdout',
  }
  const flags = ['use-auth-secret', 'allow-loopback-peers', 'no-tls', 'no-dtls', 'no-cli', 'simple-log']
  const child = spawn(
    file,
    [
      '-n',
      ...flags.map((flag) => `--${flag}`),
      ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    ],
    { stdio: 'ignore' },
  )
  while (!(await answers(here, port))) {
    if (child.exitCode !== null) throw new Error('coturn ended before it answered')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

const answers = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, host, () => resolve(true)).on('error', () => resolve(false))
    socket.unref().on('connect', () => socket.destroy())
  })
