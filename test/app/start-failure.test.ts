import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startFailure } from '../../src/app/failure.ts'
import { NoSpace } from '../../src/platform/storage/receive.ts'

const data = mkdtempSync(path.join(tmpdir(), 'failure-'))
mkdirSync(path.join(data, 'postgres'))
const log = path.join(data, 'postgres/server.log')
writeFileSync(log, 'LOG:  database system is ready to accept connections\n')
afterAll(() => rmSync(data, { recursive: true }))

const fault = (message: string, more: object) => Object.assign(new Error(message), more)
const queryOf = (cause: Error) =>
  Object.assign(new Error('Failed query: insert into users values (ana@ejemplo.mx)', { cause }))

const lost =
  'The connection to the database was lost while starting: the machine may be very busy, or somebody ended PostgreSQL. Start again.'
const full = `The disk of ${data} is full: free some space and start again.`

test.each<[what: string, error: Error, sentence: string, exitCode: number]>([
  [
    'the server ended an idle transaction',
    queryOf(new Error('Client has encountered a connection error and is not queryable')),
    `${lost} Log: ${log}`,
    75,
  ],
  [
    'PostgreSQL was ended',
    queryOf(fault('terminating connection', { code: '57P01' })),
    `${lost} Log: ${log}`,
    75,
  ],
  [
    'a table finds no room',
    queryOf(fault('could not extend file', { code: '53100', cause: new Error('No space left on device') })),
    `${full} Log: ${log}`,
    1,
  ],
  [
    'a file finds no room',
    fault('ENOSPC: no space left on device, write', { code: 'ENOSPC' }),
    `${full} Log: ${log}`,
    1,
  ],
  ['a picture finds no room', new NoSpace(), `${full} Log: ${log}`, 1],
  [
    'a folder belongs to somebody else',
    fault("EACCES: permission denied, open '/srv/data/auth-secret'", {
      code: 'EACCES',
      path: '/srv/data/auth-secret',
    }),
    `/srv/data/auth-secret cannot be written: start as the user who owns it, or choose another folder (DATA_DIR=/path npm start). Log: ${log}`,
    1,
  ],
  [
    'a migration fails',
    fault('column "kind" does not exist', { code: '42703' }),
    `The database could not be prepared (column "kind" does not exist): start again, and if that fails too, look into its log. Log: ${log}`,
    1,
  ],
])(
  'who starts the program reads one sentence with the cure and the log when %s',
  (_what, error, sentence, exitCode) =>
    expect(startFailure(error, data)).toMatchObject({ message: sentence, exitCode }),
)

test('a sentence of our own stays as it is, and a database of somebody else has no log here', () => {
  const own = new Error('Port 3000 is in use.')
  expect(startFailure(own, data)).toBe(own)
  expect(startFailure(queryOf(fault('gone', { code: '57P02' })), undefined)).toMatchObject({ message: lost })
})

/** The time of a line in PostgreSQL's log. */
const stampOf = (ms: number) => new Date(ms).toISOString().replace('T', ' ').replace('Z', ' UTC')

test.each([
  ['now', 0, /^The disk of .* is full/],
  ['in a start of yesterday', 86_400_000, /^The connection to the database was lost/],
])(
  'who starts the program reads of a full disk where PostgreSQL ended for want of it %s',
  (_when, ago, sentence) => {
    const place = mkdtempSync(path.join(tmpdir(), 'failure-'))
    mkdirSync(path.join(place, 'postgres'))
    const line = `${stampOf(Date.now() - ago)} [7] PANIC:  could not write to file "pg_wal/1": No space left on device\n`
    writeFileSync(path.join(place, 'postgres/server.log'), `LOG:  ready\n${line}LOG:  ended\n`)
    const error = queryOf(new Error('Connection terminated unexpectedly'))
    expect(startFailure(error, place)).toMatchObject({ message: expect.stringMatching(sentence) })
    rmSync(place, { recursive: true })
  },
)

test('who starts the program reads what to report where the program itself is wrong', () =>
  expect(startFailure(new TypeError('rows is not iterable'), undefined)).toMatchObject({
    message:
      'The start failed (rows is not iterable): start again, and if that fails too, report what LOG_LEVEL=debug npm start says.',
  }))
