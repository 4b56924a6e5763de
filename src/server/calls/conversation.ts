import type { PageMessage } from '../../domain/calls/schema.ts'
import type { Env } from '../app/env.ts'
import type { Db } from '../platform/database/database.ts'
import { accessOf } from './access.ts'
import { say } from './chat.ts'
import { putOut } from './deliver.ts'
import { iceServersFor } from './ice.ts'
import type { Member } from './member.ts'
import { sendSignal } from './signals.ts'
import { join, leave, showMedia } from './sittings.ts'

type Answers = {
  [Type in PageMessage['type']]: (
    to: { db: Db; env: Env; member: Member },
    said: Extract<PageMessage, { type: Type }>,
    now: Date,
  ) => unknown
}

const answers: Answers = {
  ping: ({ member }, { at }) => member.send({ type: 'pong', at }),
  join: async ({ db, member }, { media, page }, now) => {
    // A socket is one page's, which sits down once.
    if (member.sitting) return showMedia(db, member.connection, media)
    member.sitting = await join(db, member, { page, media, connection: member.connection }, now)
  },
  media: ({ db, member }, { media }) => showMedia(db, member.connection, media),
  signal: ({ db, member }, { signal, to }) => sendSignal(db, member, to, signal),
  chat: async ({ db, member }, line) => {
    const known = await say(db, member, line)
    // Its page sent it again because it never heard that it had arrived.
    if (known) member.send({ type: 'chat', lines: [known] })
  },
  ice: ({ env, member }, _said, now) => sendServers(env, member, now),
  leave: async ({ db, member }, _said, now) => {
    await leave(db, member, member.connection, 'left', now)
    member.end('left')
  },
}

/** Does what a page asks, if it may still be in the room; otherwise says why not and ends it. */
export async function answer(db: Db, env: Env, member: Member, said: PageMessage, now: Date): Promise<void> {
  const access = await accessOf(db, member.appointmentId, [member.sessionId], now)
  const { because } = access(member.sessionId)
  if (because) return putOut(db, member, because, now)
  const run = answers[said.type] as (
    to: { db: Db; env: Env; member: Member },
    said: PageMessage,
    now: Date,
  ) => unknown
  await run({ db, env, member }, said, now)
}

/** The servers by which this page finds a way to the other one. */
export const sendServers = (env: Env, { appointmentId, send, sitting }: Member, now: Date) =>
  send({ type: 'ice', ...iceServersFor(env, sitting ?? appointmentId, now) })
