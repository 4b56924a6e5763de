import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { openMailTransport } from '../../src/notifications/transport.ts'

export type Received = { to: string[]; from: string; source: string }

/** An e-mail as its reader sees it. */
export async function readEmail(source: string) {
  const { subject = '', text = '', to } = await PostalMime.parse(source)
  return { subject, to: to?.[0]?.address ?? '', text: text.trim() }
}

/** A real mail server that keeps what it accepts; `answer` may refuse after it has read the e-mail, and take its time. */
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
  const transport = openMailTransport({
    SMTP_URL: url,
    MAIL_FROM: 'Carga en Casa <citas@carga.example>',
    dataDir: '/nowhere',
  })
  return { received, transport, url }
}
