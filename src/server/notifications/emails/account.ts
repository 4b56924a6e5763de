import { and, eq, isNull } from 'drizzle-orm'
import { kindLabels } from '../../../domain/actor.ts'
import { longDateTime } from '../../../domain/shared/format.ts'
import { makeChangeCode, makeCode } from '../../accounts/letter-codes.ts'
import { emailChanges, users } from '../../database/account-schema.ts'
import type { Db } from '../../database/database.ts'
import type { Env } from '../../env.ts'
import { JobFailed } from '../../jobs/failed.ts'
import type { Jobs } from '../../jobs/queues.ts'
import { log } from '../../log.ts'
import { currentStaffing } from '../../scheduling/roster.ts'
import { invitationOfCode } from '../../users/invitations.ts'
import { changeEmail, emailChangeAsked, emailChanged, emailLeft } from '../email-change-words.ts'
import { asHtml, asText, type Content } from '../render.ts'
import {
  accountDeleted,
  deletionAsked,
  deletionPutOff,
  deletionTakenBack,
  providerLinked,
  recoveryCodesRenewed,
  secondFactorOff,
  secondFactorOn,
  type Tells,
} from '../own-account-words.ts'
import type { Post } from '../transport.ts'

type Job = Jobs['account-letter']
type House = Pick<Env, 'BRAND' | 'baseUrl'>
/** A letter before it is laid out; `name` is how it greets, null for a mailbox that nobody proved. */
type Draft = Pick<Content, 'heading' | 'paragraphs' | 'link'> &
  Partial<Pick<Content, 'facts'>> & { id?: string; to: string; name: string | null }
type Writer = (db: Db, job: Job, house: House) => Promise<Draft | null>

/** Whoever had an account opened by telephone may read the letter days later. */
const claimDays = 7

/** Each letter: who gets it and what it says; null when there is nobody to get it, or it is no longer true. */
const writers: Record<Job['letter'], Writer> = {
  async reset_password(db, job, { baseUrl }) {
    const reader = await readerOf(db, job)
    if (!reader) return null
    const code = await makeCode(db, 'reset_password', reader.id, new Date())
    return {
      ...reader,
      heading: 'Cambia tu contraseña',
      paragraphs: [
        'Alguien, esperamos que tú, pidió una contraseña nueva para tu cuenta. El enlace sirve una sola vez, durante una hora.',
        'Si no lo pediste, no tienes que hacer nada: tu contraseña sigue siendo la misma.',
      ],
      link: { label: 'Elegir contraseña nueva', href: link(baseUrl, 'resetPassword', code) },
    }
  },
  async verify_email(db, job, { baseUrl }) {
    const reader = await readerOf(db, job)
    if (!reader || reader.emailVerified) return null
    const code = await makeCode(db, 'verify_email', reader.id, new Date())
    return {
      ...reader,
      heading: 'Confirma tu correo',
      paragraphs: [
        'Se creó una cuenta con este correo. Confírmalo para recibir tus avisos completos y conservar tu cita. El enlace sirve una sola vez, durante una hora.',
        'Si no fuiste tú, ábrelo y elige «No fui yo»: borramos esa cuenta.',
      ],
      link: { label: 'Confirmar mi correo', href: link(baseUrl, 'verifyEmail', code) },
    }
  },
  async claim_account(db, job, { baseUrl, BRAND }) {
    const reader = await readerOf(db, job)
    if (!reader || reader.emailVerified) return null
    const code = await makeCode(db, 'reset_password', reader.id, new Date(), claimDays * 24 * 60)
    return {
      ...reader,
      heading: `Tu cuenta en ${BRAND}`,
      paragraphs: [
        `Abrimos por teléfono una cuenta con este correo. Elige tu contraseña para ver tus citas y conservarlas. El enlace sirve una sola vez, durante ${claimDays} días.`,
        'Si no llamaste tú, no tienes que hacer nada.',
      ],
      link: { label: 'Elegir mi contraseña', href: link(baseUrl, 'resetPassword', code) },
    }
  },
  async password_changed(db, job, { baseUrl }) {
    const reader = await readerOf(db, job)
    return (
      reader && {
        ...reader,
        heading: 'Tu contraseña cambió',
        paragraphs: [
          'La contraseña de tu cuenta acaba de cambiar, y cerramos las demás sesiones.',
          'Si seguías tus citas con un enlace de calendario, ya no sirve: crea otro en tu cuenta.',
          'Si no fuiste tú, recupera tu cuenta ahora mismo.',
        ],
        link: { label: 'Recuperar mi cuenta', href: `${baseUrl}/recover-password` },
      }
    )
  },
  async invitation(db, job, { baseUrl, BRAND }) {
    const invitation = await invitationOf(db, job)
    if (!invitation) return null
    const { email, kind, agency, expiresAt, code } = invitation
    return {
      to: email,
      name: null,
      heading: `Te invitamos al equipo de ${BRAND}`,
      paragraphs: [
        'Abre el enlace para crear tu cuenta, o para aceptar con la que ya tienes. Sirve una sola vez.',
        'Si no esperabas esta invitación, no tienes que hacer nada.',
      ],
      facts: [
        ['Rol', kindLabels[kind]],
        ...(agency ? [['Concesionaria', agency] as const] : []),
        ['Vence', longDateTime(expiresAt)],
      ],
      link: { label: 'Ver mi invitación', href: `${baseUrl}/signup?invitacion=${code}` },
    }
  },
  change_email: (db, job, house) =>
    aboutChange(db, job, async (change) => {
      if (change.appliedAt) return null
      const code = await makeChangeCode(db, 'change_email', change, new Date())
      return { to: change.newEmail, ...changeEmail(link(house.baseUrl, 'verifyAndChangeEmail', code), house) }
    }),
  email_change_asked: (db, job, house) =>
    aboutChange(db, job, async (change) => {
      if (change.appliedAt) return null
      const code = await makeChangeCode(db, 'object_email', change, new Date())
      return { to: change.oldEmail, ...emailChangeAsked(link(house.baseUrl, 'recoverEmail', code)) }
    }),
  email_changed: (db, job, house) =>
    aboutChange(db, job, async (change) => {
      const code = await makeChangeCode(db, 'object_email', change, new Date())
      return { to: change.oldEmail, ...emailChanged(link(house.baseUrl, 'recoverEmail', code)) }
    }),
  async email_left(_db, { email }, house) {
    return email === undefined ? null : { to: email, name: null, ...emailLeft(house) }
  },
  second_factor_on: tells(secondFactorOn),
  second_factor_off: tells(secondFactorOff),
  recovery_codes_renewed: tells(recoveryCodesRenewed),
  provider_linked: tells(providerLinked),
  deletion_asked: tells(deletionAsked),
  deletion_taken_back: tells(deletionTakenBack),
  deletion_put_off: tells(deletionPutOff),
  async account_deleted(_db, { email }, { baseUrl }) {
    return email === undefined ? null : { to: email, name: null, ...accountDeleted(baseUrl) }
  },
}

/** Whose it is, its code may tell, and nobody else: a letter whose invitation was sent again meanwhile is not sent. */
async function invitationOf(db: Db, { invitationId, code }: Job) {
  const found = code === undefined ? null : await invitationOfCode(db, code, new Date())
  if (!found || found.id !== invitationId || found.state !== 'open') return null
  return { ...found, code }
}

type Change = typeof emailChanges.$inferSelect

/** A letter to the mailbox of before or of after, which greets nobody; none where the change was ended meanwhile. */
async function aboutChange(
  db: Db,
  { emailChangeId }: Job,
  write: (change: Change) => Promise<Omit<Draft, 'name'> | null>,
): Promise<Draft | null> {
  const [change] = await db
    .select()
    .from(emailChanges)
    .where(and(eq(emailChanges.id, emailChangeId ?? ''), isNull(emailChanges.endedAt)))
  const draft = change ? await write(change) : null
  return draft && { ...draft, name: null }
}

/** A letter to the person themselves that needs nothing but what their row says. */
function tells(words: Tells): Writer {
  return async (db, job, { baseUrl }) => {
    const reader = await readerOf(db, job)
    const said = reader && words(baseUrl, reader)
    return said && { ...reader, ...said }
  }
}

/** The link of a letter, in the form that the specification's sign-in service gave it. */
const link = (
  baseUrl: string,
  mode: 'resetPassword' | 'verifyEmail' | 'verifyAndChangeEmail' | 'recoverEmail',
  code: string,
) => `${baseUrl}/recover-password?mode=${mode}&oobCode=${code}`

/** Who reads it, by id or e-mail; nobody who is inactive. */
async function readerOf(db: Db, { userId, email }: Job) {
  const [user] = await db
    .select({
      id: users.id,
      to: users.email,
      name: users.name,
      emailVerified: users.emailVerified,
      active: users.active,
      role: users.role,
      deletionRequestedAt: users.deletionRequestedAt,
    })
    .from(users)
    .where(userId === undefined ? eq(users.email, email ?? '') : eq(users.id, userId))
  return user?.active ? { ...user, name: user.emailVerified ? user.name : null } : null
}

/** What may be kept of a job to whoever is known here: neither code nor mailbox. */
const withoutSecrets = ({ invitationId, letter }: Job, userId: string | undefined) =>
  userId || invitationId
    ? { letter, ...(userId && { userId }), ...(invitationId && { invitationId }) }
    : undefined

/** Writes the letter a job asks for, and sends it. Throws when it was not taken. */
export async function deliverAccountLetter(
  db: Db,
  house: House,
  post: Post,
  job: Job,
  jobId: string,
): Promise<void> {
  const draft = await writers[job.letter](db, job, house)
  if (!draft) return log.info({ job: jobId, letter: job.letter }, 'a letter has nobody to go to')
  const { id, to, name, heading, paragraphs, facts = [], link } = draft
  const { support } = (await currentStaffing(db)).settings
  const content: Content = {
    ...{ heading, paragraphs, facts, link, brand: house.BRAND },
    greeting: name ? `Hola, ${name}:` : 'Hola:',
    help: `¿Necesitas ayuda? Escribe a ${support.email}.`,
  }
  const messageId = `<${jobId}.account@${new URL(house.baseUrl).hostname}>`
  const letter = { to, subject: heading, text: asText(content), html: asHtml(content), messageId }
  await post.send(letter).catch((error: unknown) => {
    throw error instanceof JobFailed ? error.of(id, withoutSecrets(job, id)) : error
  })
  log.info({ job: jobId, letter: job.letter }, 'letter sent')
}
