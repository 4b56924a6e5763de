import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { openPost } from '../src/server/notifications/transport.ts'

export type Received = { to: string[]; from: string; source: string }

/** A real mail server that keeps what it accepts; `answer` may refuse after it has read the letter, and take its time. */
export async function mailServer(answer: () => Error | null | Promise<Error | null> = () => null) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) =>
      done(
        address.startsWith('nadie')
          ? Object.assign(new Error(`no mailbox ${address}`), { responseCode: 550 })
          : null,
      ),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const sender = envelope.mailFrom ? envelope.mailFrom.address : ''
        received.push({
          to: envelope.rcptTo.map(({ address }) => address),
          from: sender,
          source: Buffer.concat(chunks).toString(),
        })
        void Promise.try(answer).then(done)
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  const url = `smtp://127.0.0.1:${port}`
  const post = openPost({
    SMTP_URL: url,
    MAIL_FROM: 'Carga en Casa <citas@carga.example>',
    dataDir: '/nowhere',
  })
  return { received, post, url }
}
