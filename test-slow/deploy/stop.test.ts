import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { openGate, openServer } from '../../src/platform/http/gate.ts'
import { atMost, drain } from '../../src/platform/http/stop.ts'

let end = () => {}
afterEach(() => end())

/** A server that answers after so long, behind the gate, and a browser that keeps one connection to it. */
async function serving(ms: number) {
  const gate = openGate()
  const server = openServer(gate)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  gate.open((_request, response) => setTimeout(() => response.end('done'), ms))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  end = () => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  }
  const ask = (path: string) =>
    new Promise<[number | undefined, string | undefined]>((resolve, reject) =>
      http
        .get({ agent, host: '127.0.0.1', port, path }, (answer) =>
          answer.resume().once('end', () => resolve([answer.statusCode, answer.headers.connection])),
        )
        .once('error', reject),
    )
  return { gate, server, ask }
}

test('a process that leaves is not ready, answers all the rest, and each answer is its connection’s last', async () => {
  const { ask, gate } = await serving(0)
  expect(await ask('/readyz?n=1')).toEqual([200, 'keep-alive'])
  gate.leave({ replaced: false })
  expect(await ask('/readyz?n=2')).toEqual([503, 'close'])
  expect(await ask('/readiness')).toEqual([200, 'close'])
})

test('what has come is answered before the last connection closes, and nothing is waited for that nobody asked', async () => {
  const { ask, server } = await serving(700)
  await ask('/')
  const last = ask('/')
  await sleep(50)
  const started = performance.now()
  const drained = drain(server).then(() => performance.now() - started)
  expect((await last)[0]).toBe(200)
  expect(await drained).toBeLessThan(2_000)
  await expect(ask('/')).rejects.toThrow()
  const again = performance.now()
  await drain(server)
  expect(performance.now() - again).toBeLessThan(100)
})

test('a kept connection that says nothing holds nobody up', async () => {
  const { ask, server } = await serving(0)
  await ask('/')
  const started = performance.now()
  await drain(server)
  expect(performance.now() - started).toBeLessThan(1_500)
})

test('an ending that never comes is waited for so long and no longer', async () => {
  const started = performance.now()
  await atMost(100, new Promise(() => {}), 'for ever')
  expect(performance.now() - started).toBeLessThan(1_000)
  await atMost(60_000, Promise.resolve(), 'at once')
  await expect(atMost(60_000, Promise.reject(new Error('broken')), 'badly')).rejects.toThrow('broken')
})

test('a process whose parts do not end is gone all the same', async () => {
  const program = `
    import { stopper } from './src/platform/http/stop.ts'
    const stop = stopper(300)
    setInterval(() => {}, 1_000)
    stop.after(() => new Promise(() => {}))
    process.send('ready')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  const started = performance.now()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(performance.now() - started).toBeLessThan(5_000)
})
