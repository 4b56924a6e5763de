import { once } from 'node:events'
import type pg from 'pg'
import { SMTPServer } from 'smtp-server'

/** A mail server on that port that takes `takesMs` for each e-mail, and keeps whom it was for, its Message-ID and when it came. */
export async function openMail(port: number, takesMs = 0) {
  const copies: { to: string; id: string; at: number }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, { envelope }, done) {
      let source = ''
      stream.on('data', (part: Buffer) => {
        source += part
      })
      stream.on('end', () => {
        const id = /^message-id:\s*(\S+)/im.exec(source)?.[1] ?? ''
        setTimeout(() => {
          copies.push(...envelope.rcptTo.map(({ address }) => ({ to: address, id, at: performance.now() })))
          done()
        }, takesMs)
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return { copies, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

/** How many jobs there are of those. */
export async function jobsWhere(pool: pg.Pool, where: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`select count(*)::int as n from pgboss.job where ${where}`)
  return rows[0]!.n
}
