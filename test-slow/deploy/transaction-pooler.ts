import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** As PgBouncer: what a client may ask for when it connects; anything else is refused. */
const allowed = new Set(['user', 'database', 'client_encoding', 'application_name', 'TimeZone', 'DateStyle'])

type Target = { host: string; user: string; database: string }

/**
 * A pooler in transaction mode: a client gets one of so many connections with its first word, and gives it back when its
 * transaction is over. The one that rested longest comes next, so that nothing said outside a transaction stays with a client.
 */
export async function openPooler({ host, user, database }: Target, connections = 4) {
  const free: Socket[] = []
  const waiting: ((socket: Socket) => void)[] = []
  const all = new Set<Socket>()
  let opened = 0
  const give = (server: Socket) => {
    const next = waiting.shift()
    if (next) next(server)
    else free.push(server)
  }
  const add = async () => {
    opened++
    const server = connect(`${host}/.s.PGSQL.5432`)
    all.add(server)
    server.on('error', () => undefined)
    server.write(startup({ user, database }))
    await untilReady(server)
    give(server)
  }
  const take = () =>
    new Promise<Socket>((resolve) => {
      const server = free.shift()
      if (server) return resolve(server)
      waiting.push(resolve)
      if (opened < connections) void add()
    })

  const pooler = createServer((client) => {
    all.add(client)
    client.on('error', () => undefined).once('close', () => all.delete(client))
    serve(client, take, give, add)
  }).listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  const address = pooler.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `postgres://${user}@127.0.0.1:${port}/${database}`,
    /** Closes the connections that rest, so that the next ones are new. */
    reconnect() {
      opened -= free.length
      for (const server of free.splice(0)) server.destroy()
    },
    close() {
      pooler.close()
      for (const socket of all) socket.destroy()
    },
  }
}

function serve(
  client: Socket,
  take: () => Promise<Socket>,
  give: (server: Socket) => void,
  add: () => Promise<void>,
) {
  let held: Promise<Socket> | undefined
  let greeted = false
  const hold = async () => {
    const server = await take()
    const frames = framesOf((kind, body) => {
      if (kind !== 'Z' || body.toString() !== 'I') return
      server.removeAllListeners('data')
      held = undefined
      give(server)
    })
    server.on('data', (chunk: Buffer) => {
      client.write(chunk)
      frames(chunk)
    })
    return server
  }
  client.on('data', async (chunk: Buffer) => {
    if (!greeted) {
      greeted = true
      return void client.write(answerTo(chunk))
    }
    if (chunk[0] === 'X'.charCodeAt(0)) return void client.end()
    held ??= hold()
    ;(await held).write(chunk)
  })
  // Whoever leaves in the middle of a transaction takes its connection along.
  client.once('close', async () => {
    const server = await held
    if (!server) return
    server.destroy()
    await add()
  })
}

function answerTo(hello: Buffer): Buffer {
  const words = hello.subarray(8).toString().split('\0')
  const unknown = words.filter((word, n) => n % 2 === 0 && word !== '' && !allowed.has(word))
  const refusal = `SFATAL\0C08P01\0Munsupported startup parameter: ${unknown[0]}\0\0`
  if (unknown.length > 0) return frame('E', Buffer.from(refusal))
  return Buffer.concat([
    frame('R', Buffer.alloc(4)),
    frame('K', Buffer.alloc(8)),
    frame('Z', Buffer.from('I')),
  ])
}

function frame(kind: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(kind)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function startup(input: Record<string, string>): Buffer {
  const body = Buffer.from(`${Object.entries(input).flat().join('\0')}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(body.length + 8, 0)
  head.writeInt32BE(196_608, 4)
  return Buffer.concat([head, body])
}

/** Cuts what a server says into its messages. */
function framesOf(heard: (kind: string, body: Buffer) => void) {
  let rest = Buffer.alloc(0)
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const length = rest.readInt32BE(1) + 1
      const kind = String.fromCharCode(rest[0]!)
      const body = rest.subarray(5, length)
      rest = rest.subarray(length)
      heard(kind, body)
    }
  }
}

const untilReady = (server: Socket) =>
  new Promise<void>((resolve) => {
    const frames = framesOf((kind) => {
      if (kind !== 'Z') return
      server.removeAllListeners('data')
      resolve()
    })
    server.on('data', frames)
  })
