import { eq } from 'drizzle-orm'
import { type Actor, assertCustomer } from '../access/rules/actor.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { announce } from '../platform/live/announcements.ts'
import { refuse } from '../shared/refusal.ts'
import { linkedProviders } from './linked-providers.ts'
import { hasPassword, waitingEmail } from './password.ts'
import { contactsOf } from './people.ts'
import { tellOfPhone } from './phone-code.ts'
import { noteConsent } from './privacy.ts'
import { ownSessions, passkeysOf } from './providers.ts'
import type { Notices, ProfileForm } from './rules/schema.ts'

/** Changes one's own name and phone. The history records which changed, not their values: it is never erased. */
export async function editProfile(
  db: Db,
  actor: Actor,
  { name, lastname, phone, version }: Omit<ProfileForm, 'intent'>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const user = await held(tx, actor, version)
    const input = { name, lastname, phone }
    const changed = (Object.keys(input) as (keyof typeof input)[]).filter(
      (field) => input[field] !== user[field],
    )
    if (changed.length === 0) return
    await tx
      .update(users)
      .set({ ...input, version: version + 1 })
      .where(eq(users.id, actor.id))
    await record(tx, { ...by(actor), name: 'edit_profile', data: { changed } })
    await tellOfPhone(tx, user, changed)
  })
  announce(db, { people: [actor.id, ...(await contactsOf(db, actor.id))] })
}

/** Chooses the notices a customer wants; the time of a choice is that of its first tick. */
export async function chooseNotices(
  db: Db,
  actor: Actor,
  { whatsapp, news, version }: Notices,
  termsVersion: string,
  now: Date,
): Promise<void> {
  assertCustomer(actor)
  await transaction(db, async (tx) => {
    const user = await held(tx, actor, version)
    await tx
      .update(users)
      .set({
        whatsappOptInAt: whatsapp ? (user.whatsappOptInAt ?? now) : null,
        newsOptInAt: news ? (user.newsOptInAt ?? now) : null,
        version: version + 1,
      })
      .where(eq(users.id, actor.id))
    await record(tx, { ...by(actor), name: 'choose_notices', data: { whatsapp, news } })
    const said = { userId: actor.id, version: termsVersion, source: 'account' } as const
    if (whatsapp !== (user.whatsappOptInAt !== null))
      await noteConsent(tx, { ...said, kind: 'whatsapp', given: whatsapp })
    if (news !== (user.newsOptInAt !== null)) await noteConsent(tx, { ...said, kind: 'news', given: news })
  })
  announce(db, { people: [actor.id], desk: false })
}

const by = ({ id }: Actor) => ({ entity: 'user', entityId: id, actorId: id })

/** The actor's own row, locked, in the version that the form showed. */
async function held(tx: Tx, actor: Actor, version: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, actor.id)).for('update')
  if (!user) refuse('not-found')
  await assertVersion(tx, actor, 'user', user, version)
  return user
}

/** The data of a user's own account page. */
export async function accountPage(db: Db, actor: Actor, sessionId: string) {
  const [[user], password, sessions, linked, keys, nextEmail] = await Promise.all([
    db.select(shown).from(users).where(eq(users.id, actor.id)),
    hasPassword(db, actor.id),
    ownSessions(db, actor, sessionId),
    linkedProviders(db, actor),
    passkeysOf(db, actor.id),
    waitingEmail(db, actor.id, new Date()),
  ])
  return {
    user: user ?? refuse('not-found'),
    hasPassword: password,
    sessions,
    linked,
    passkeys: keys,
    nextEmail,
  }
}

const shown = {
  email: users.email,
  emailVerified: users.emailVerified,
  name: users.name,
  lastname: users.lastname,
  phone: users.phone,
  version: users.version,
  whatsappOptInAt: users.whatsappOptInAt,
  newsOptInAt: users.newsOptInAt,
  deletionRequestedAt: users.deletionRequestedAt,
}
