import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  keptEmail,
  newestEmails,
  type OutgoingEmail,
  openMailTransport,
  readableOutbox,
} from '../../src/notifications/transport.ts'
import { mailServer, readEmail } from '../kit/mail-server.ts'

const email: OutgoingEmail = {
  to: 'ana@example.mx',
  subject: 'Tu visita técnica quedó apartada: ¿mañana? (VT-2026-00012)',
  text: 'Hola, Ana:\n\nTu visita técnica quedó apartada. 1 + 1 = 2\n.\nFin de la línea más larga que setenta y seis caracteres, para que se parta.',
  html: '<p>Hola, Ñandú</p>',
  messageId: '<job-1.ana@carga.example>',
}
const from = 'Carga en Casa <citas@carga.example>'

async function temporary() {
  const folder = await mkdtemp(path.join(tmpdir(), 'carga-mail-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const toOutbox = (dataDir: string) => openMailTransport({ SMTP_URL: undefined, MAIL_FROM: from, dataDir })
const outboxOf = (dataDir: string) => path.join(dataDir, 'outbox')
const header = (source: string, name: string) =>
  source.slice(0, source.indexOf('\r\n\r\n')).match(new RegExp(`^${name}: .*$`, 'gim')) ?? []

test('the outbox keeps an email as a message that only its owner can read', async () => {
  const dataDir = await temporary()
  await toOutbox(dataDir).send(email)
  const [kept] = await newestEmails(outboxOf(dataDir))
  expect(kept).toMatchObject({ to: email.to, subject: email.subject, text: email.text })
  expect(Math.abs(kept!.at.getTime() - Date.now())).toBeLessThan(5_000)
  const file = path.join(outboxOf(dataDir), kept!.file)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const source = await readFile(file, 'utf8')
  expect(source).not.toMatch(/[^\r]\n/)
  expect(header(source, 'Message-ID')).toEqual([`Message-ID: ${email.messageId}`])
  expect(header(source, 'From')).toEqual([`From: ${from}`])
  expect(header(source, 'Auto-Submitted')).toHaveLength(1)
  expect(source).toContain('Content-Type: text/html; charset=utf-8')
})

test('the outbox keeps subjects of any length and alphabet', async () => {
  const dataDir = await temporary()
  const subjects = ['ñ'.repeat(120), 'áé '.repeat(60).trim(), '=?x?= 🔌 a_b']
  for (const subject of subjects) await toOutbox(dataDir).send({ ...email, subject })
  const kept = await newestEmails(outboxOf(dataDir))
  expect(kept.map((one) => one.subject).sort()).toEqual([...subjects].sort())
})

test('the outbox shows the newest 50, and nothing outside its folder', async () => {
  const dataDir = await temporary()
  const folder = outboxOf(dataDir)
  expect(await newestEmails(folder)).toEqual([])
  for (let n = 0; n < 52; n++) await toOutbox(dataDir).send({ ...email, messageId: `<job-${n}@x.mx>` })
  await writeFile(path.join(folder, 'notes.eml'), 'not ours')
  const kept = await newestEmails(folder)
  expect(kept).toHaveLength(50)
  expect(kept[0]!.at.getTime()).toBeGreaterThanOrEqual(kept[49]!.at.getTime())
  for (const file of ['../secret', 'notes.eml', '', '../outbox/notes.eml', `${kept[0]!.file}/..`])
    expect(await keptEmail(folder, file)).toBeNull()
  expect(await keptEmail(folder, kept[0]!.file)).toEqual(kept[0])
})

test('the outbox is a page only for the local demo without a mail server', () => {
  const demo = { demo: true, host: '127.0.0.1', baseUrl: 'http://localhost:3000', dataDir: '/d' }
  const local = { ...demo, SMTP_URL: undefined }
  expect(readableOutbox(local)).toBe('/d/outbox')
  for (const other of [
    { SMTP_URL: 'smtp://x' },
    { demo: false },
    { host: '0.0.0.0' },
    { baseUrl: 'https://demo.example' },
  ])
    expect(readableOutbox({ ...local, ...other })).toBeNull()
})

test('the outbox rejects when its folder cannot be written', async () => {
  const dataDir = await temporary()
  await writeFile(outboxOf(dataDir), 'in the way')
  await expect(toOutbox(dataDir).send(email)).rejects.toThrow()
})

describe('nothing gets into a header', () => {
  test('replaces a line break in a subject with a space', async () => {
    const dataDir = await temporary()
    await toOutbox(dataDir).send({ ...email, subject: 'Hola\r\nBcc: eva@example.mx\r\n\r\nadiós' })
    const [file] = await readdir(outboxOf(dataDir))
    const source = await readFile(path.join(outboxOf(dataDir), file!), 'utf8')
    expect(header(source, 'Bcc')).toEqual([])
    expect((await readEmail(source)).subject).toBe('Hola Bcc: eva@example.mx adiós')
  })

  test.each([
    'ana@example.mx\r\nBcc: eva@example.mx',
    'ana@example.mx, eva@example.mx',
    'ana@example.mx\u0085Bcc:eva',
    '',
  ])('refuses the recipient %j', async (to) => {
    const dataDir = await temporary()
    await expect(toOutbox(dataDir).send({ ...email, to })).rejects.toThrow('exactly one')
    await expect(readdir(outboxOf(dataDir))).rejects.toThrow('ENOENT')
  })

  test.each(['<a@b>\r\nBcc: eva@example.mx', '<../../x@b>', 'a@b', '<@b>'])(
    'refuses the Message-ID %j',
    async (messageId) =>
      await expect(toOutbox(await temporary()).send({ ...email, messageId })).rejects.toThrow('Message-ID'),
  )
})

test('over SMTP, delivers an email whole to one recipient', async () => {
  const { received, transport } = await mailServer()
  await transport.send(email)
  expect(received).toMatchObject([{ to: ['ana@example.mx'], from: 'citas@carga.example' }])
  expect(await readEmail(received[0]!.source)).toEqual({
    to: email.to,
    subject: email.subject,
    text: email.text,
  })
})

test('over SMTP, sends an email again after a lost answer with the same Message-ID', async () => {
  let tries = 0
  const { received, transport } = await mailServer(() => (tries++ ? null : new Error('the answer was lost')))
  await expect(transport.send(email)).rejects.toThrow()
  await transport.send(email)
  const ids = received.map(({ source }) => header(source, 'Message-ID')[0])
  expect(ids).toEqual([`Message-ID: ${email.messageId}`, `Message-ID: ${email.messageId}`])
})

test('over SMTP, rejects a refused mailbox without naming it', async () => {
  const { transport } = await mailServer()
  const error = await transport.send({ ...email, to: 'nadie@example.mx' }).catch((caught: Error) => caught)
  expect(error).toMatchObject({ message: 'the mail server refuses the mailbox: EENVELOPE 550' })
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('nadie')
})

test('over SMTP, rejects when the server is unreachable', async () => {
  const unreachable = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: from, dataDir: '/nowhere' }
  await expect(openMailTransport(unreachable).send(email)).rejects.toThrow('ESOCKET')
})
