import { aliasedTable, and, eq, isNull, sql } from 'drizzle-orm'
import { isCustomer, kindLabels } from '../../access/rules/actor.ts'
import { claimDays, codeLink, type FreshCode, makeChangeCode, makeCode } from '../../accounts/letter-codes.ts'
import { blockedFor, deletionDue, deletionWaitDays } from '../../accounts/rules/schema.ts'
import { type Db, type Queryable, transaction } from '../../platform/database/client.ts'
import { customerMerges, emailChanges, users } from '../../platform/database/schema/accounts.ts'
import type { AccountEmailJob } from '../../platform/jobs/emails.ts'
import { longDate, longDateTime } from '../../shared/format.ts'
import { hasMailbox } from '../../shared/mailbox.ts'
import { invitationOfCode } from '../../users/invite.ts'
import { gatheredEmail } from '../budget.ts'
import {
  type Email,
  type EmailContent,
  type EmailContext,
  mailbox,
  type Recipient,
  recipient,
} from '../email.ts'

type AccountEmail = Email<AccountEmailJob, AccountFacts>
/** The recipient, and the code of its link. */
type AccountFacts = FreshCode & { reader: Recipient }
type OwnerFacts = NonNullable<Awaited<ReturnType<typeof ownerOf>>>
type Change = typeof emailChanges.$inferSelect

/** Each e-mail about an account. */
export const accountEmails: Record<AccountEmailJob['letter'], Email<AccountEmailJob>> = {
  reset_password: withCode('reset_password', always, ({ code, until }, { baseUrl }) => ({
    heading: 'Cambia tu contraseña',
    paragraphs: [
      `Nos pidieron cambiar la contraseña de tu cuenta. Si fuiste tú, elige una nueva: el enlace sirve una sola vez, ${until}`,
      'Si no lo pediste, no tienes que hacer nada: tu contraseña sigue siendo la misma.',
    ],
    facts: [],
    link: { label: 'Elegir contraseña nueva', href: codeLink(baseUrl, 'resetPassword', code) },
  })),
  verify_email: withCode('verify_email', isUnverified, ({ code, until }, { baseUrl }) => ({
    heading: 'Confirma tu correo',
    paragraphs: [
      `Se creó una cuenta con este correo. Confírmalo para recibir tus avisos completos y conservar tu cita. El enlace sirve una sola vez, ${until}`,
      'Si no fuiste tú, ábrelo y elige «No fui yo»: borramos esa cuenta.',
    ],
    facts: [],
    link: { label: 'Confirmar mi correo', href: codeLink(baseUrl, 'verifyEmail', code) },
  })),
  claim_account: withCode(
    'reset_password',
    isUnverified,
    ({ code, until }, { baseUrl, brand }) => ({
      heading: `Tu cuenta en ${brand}`,
      paragraphs: [
        `Abrimos por teléfono una cuenta con este correo. Elige tu contraseña para ver tus citas y conservarlas. El enlace sirve una sola vez, ${until}`,
        'Si no llamaste tú, no tienes que hacer nada.',
      ],
      facts: [],
      link: { label: 'Elegir mi contraseña', href: codeLink(baseUrl, 'resetPassword', code) },
    }),
    claimDays * 24,
  ),
  password_changed: toOwner(always, (owner, { baseUrl }) => ({
    heading: 'Tu contraseña cambió',
    paragraphs: [
      'La contraseña de tu cuenta acaba de cambiar, y cerramos las demás sesiones.',
      'Si seguías tus citas con un enlace de calendario, ya no sirve: crea otro en tu cuenta.',
      owner.hasPasskeys
        ? 'Tus llaves de acceso siguen abriendo tu cuenta: quita las que no reconozcas. Si no fuiste tú, recupera tu cuenta ahora mismo.'
        : 'Si no fuiste tú, recupera tu cuenta ahora mismo.',
    ],
    facts: [],
    links: owner.hasPasskeys ? [accountLink(baseUrl, owner)] : [],
    link: recoverLink(baseUrl),
  })),
  invitation: invitationEmail(),
  change_email: aboutChange(
    'change_email',
    'newEmail',
    isUnapplied,
    ({ code, until }, { baseUrl, brand }) => ({
      heading: 'Confirma tu correo nuevo',
      paragraphs: [
        `Nos pidieron usar este correo para entrar a una cuenta de ${brand}. Si fuiste tú, confírmalo: el enlace sirve una sola vez, ${until}`,
        'Si no fuiste tú, no tienes que hacer nada: esa cuenta sigue con su correo de antes.',
      ],
      facts: [],
      link: { label: 'Usar este correo', href: codeLink(baseUrl, 'verifyAndChangeEmail', code) },
    }),
  ),
  email_change_asked: aboutChange(
    'object_email',
    'oldEmail',
    isUnapplied,
    ({ code, until }, { baseUrl }) => ({
      heading: 'Pidieron cambiar el correo de tu cuenta',
      paragraphs: [
        'El cambio se hace cuando se abra el enlace que enviamos al correo nuevo. Si fuiste tú, o lo pediste a nuestro equipo, no tienes que hacer nada más.',
        `Si no fuiste tú, dínoslo con este enlace: tu cuenta se queda con este correo, eliges otra contraseña y cerramos todas las sesiones. Sirve ${until}`,
      ],
      facts: [],
      link: { label: 'No fui yo', href: codeLink(baseUrl, 'recoverEmail', code) },
    }),
  ),
  email_changed: aboutChange('object_email', 'oldEmail', always, ({ code, until }, { baseUrl }) => ({
    heading: 'Tu cuenta ya usa otro correo',
    paragraphs: [
      'Desde ahora se entra con el correo nuevo, y ahí llegan tus avisos.',
      `Si no fuiste tú, dínoslo con este enlace: tu cuenta vuelve a este correo, eliges otra contraseña y cerramos todas las sesiones. Sirve ${until}`,
    ],
    facts: [],
    link: { label: 'No fui yo', href: codeLink(baseUrl, 'recoverEmail', code) },
  })),
  second_factor_on: toOwner(always, (owner, { baseUrl }) => ({
    heading: 'Activaste tu segundo factor',
    paragraphs: [
      'Desde ahora, después de tu contraseña te pediremos un segundo paso. Cerramos tus demás sesiones.',
      'Guarda tus códigos de recuperación en un lugar seguro: son la forma de entrar si pierdes tu teléfono.',
      ...(isCustomer(owner)
        ? ['Revisa también el teléfono de tu cuenta: en una semana puede recibir códigos por WhatsApp.']
        : []),
      'Si no fuiste tú, cambia tu contraseña ahora mismo y pide ayuda.',
    ],
    facts: [],
    link: accountLink(baseUrl, owner),
  })),
  second_factor_off: toOwner(always, ({ hasPasskeys }, { baseUrl }) => ({
    heading: 'Tu segundo factor está desactivado',
    paragraphs: [
      hasPasskeys
        ? 'Desde ahora, al iniciar sesión solo te pediremos tu contraseña, o una de tus llaves de acceso.'
        : 'Desde ahora, al iniciar sesión solo te pediremos tu contraseña: en tu cuenta no quedan llaves de acceso.',
      'Puedes activarlo de nuevo en tu cuenta.',
      'Si no fuiste tú ni lo pediste a la gerencia, recupera tu cuenta ahora mismo.',
    ],
    facts: [],
    link: recoverLink(baseUrl),
  })),
  recovery_codes_renewed: toOwner(always, (_owner, { baseUrl }) => ({
    heading: 'Tienes códigos de recuperación nuevos',
    paragraphs: ['Los anteriores ya no sirven.', 'Si no fuiste tú, recupera tu cuenta ahora mismo.'],
    facts: [],
    link: recoverLink(baseUrl),
  })),
  phone_code_used: toOwner(always, (_owner, { baseUrl }) => ({
    heading: 'Entraron a tu cuenta con un código de WhatsApp',
    paragraphs: [
      'Después de la contraseña se usó un código que enviamos a tu teléfono.',
      'Si no fuiste tú, recupera tu cuenta ahora mismo.',
    ],
    facts: [],
    link: recoverLink(baseUrl),
  })),
  phone_changed: toOwner(always, (_owner, { baseUrl }) => ({
    heading: 'Tu cuenta tiene otro teléfono',
    paragraphs: [
      'Dentro de una semana puede recibir por WhatsApp códigos para entrar, después de tu contraseña.',
      'Si no fuiste tú ni lo pediste a nuestro equipo, recupera tu cuenta ahora mismo y corrige tu teléfono.',
    ],
    facts: [],
    link: recoverLink(baseUrl),
  })),
  provider_linked: toOwner(always, (owner, { baseUrl }) => ({
    heading: 'Tu cuenta tiene otra forma de entrar',
    paragraphs: [
      'Desde ahora también puedes entrar con el servicio que acabas de usar, sin tu contraseña.',
      'Si no fuiste tú, quítalo en tu cuenta, en «Otras formas de entrar», y cambia tu contraseña.',
    ],
    facts: [],
    link: accountLink(baseUrl, owner),
  })),
  passkey_added: toOwner(always, (owner, { baseUrl }) => ({
    heading: 'Agregaste una llave de acceso',
    paragraphs: [
      'Desde ahora también puedes entrar con ella, sin tu contraseña.',
      'Si no fuiste tú, quítala en tu cuenta, en «Llaves de acceso», y cambia tu contraseña.',
    ],
    facts: [],
    link: accountLink(baseUrl, owner),
  })),
  passkey_removed: toOwner(always, (owner, { baseUrl }) => ({
    heading: 'Quitaste una llave de acceso',
    paragraphs: [
      'Ya no se puede entrar con ella, y cerramos tus demás sesiones.',
      'Si no fuiste tú, cambia tu contraseña ahora mismo.',
    ],
    facts: [],
    link: accountLink(baseUrl, owner),
  })),
  deletion_asked: toOwner(isBeingDeleted, (owner, { baseUrl }) => ({
    heading: 'Vamos a eliminar tu cuenta',
    paragraphs: [
      `Lo pediste, y lo haremos dentro de ${deletionWaitDays} días, el ${longDate(deletionDue(owner.deletionRequestedAt!))}.`,
      'Si cambias de opinión, o si no fuiste tú, entra a tu cuenta antes de ese día y elige conservarla.',
    ],
    facts: [],
    link: accountLink(baseUrl, owner),
  })),
  deletion_taken_back: toOwner(isKept, (owner, { baseUrl }) => ({
    heading: 'Conservamos tu cuenta',
    paragraphs: ['Ya no la vamos a eliminar. No tienes que hacer nada más.'],
    facts: [],
    link: accountLink(baseUrl, owner),
  })),
  deletion_put_off: toOwner(isKept, (owner, { baseUrl }) => ({
    heading: 'No eliminamos tu cuenta',
    paragraphs: [
      'Mientras esperábamos empezaste una instalación, y para atenderla necesitamos tu cuenta.',
      'Cuando termine, o si la cancelas, puedes volver a pedirlo.',
    ],
    facts: [],
    link: accountLink(baseUrl, owner),
  })),
  account_deleted: toFormerMailbox(({ baseUrl }) => ({
    heading: 'Eliminamos tu cuenta',
    paragraphs: [
      'Como lo pediste, tu nombre, tu correo, tu teléfono, tus domicilios y tus accesos ya no están en el servicio.',
      `Los guardamos bloqueados ${blockedFor} por obligación legal y después los borramos.`,
      'De lo que aceptaste y pagaste conservamos 5 años lo que pide la ley fiscal.',
      'Este es el último correo que te enviamos. Si algún día quieres volver, puedes crear una cuenta nueva.',
    ],
    facts: [],
    link: { label: 'Ir al sitio', href: baseUrl },
  })),
  account_merged: mergedEmail(),
  gathered: gatheredEmail,
}

type OwnerRule = (owner: OwnerFacts) => boolean

function always() {
  return true
}
function isUnverified({ reader }: OwnerFacts) {
  return !reader.emailVerified
}
function isBeingDeleted({ deletionRequestedAt }: OwnerFacts) {
  return deletionRequestedAt !== null
}
function isKept({ deletionRequestedAt }: OwnerFacts) {
  return deletionRequestedAt === null
}
function isUnapplied({ appliedAt }: Change) {
  return !appliedAt
}

/** To the owner of an account; needs only their row. */
function toOwner(
  isRelevant: OwnerRule,
  compose: (owner: OwnerFacts, context: EmailContext) => EmailContent,
): Email<AccountEmailJob, OwnerFacts> {
  return {
    load: ownerOf,
    isRelevant,
    recipients: (_db, { reader }) => [reader],
    compose: (owner, _reader, context) => compose(owner, context),
  }
}

type ComposeWithCode = (link: FreshCode, context: EmailContext) => EmailContent

/** A code is created for each e-mail with a link, only after it proved relevant. */
function toReader(load: AccountEmail['load'], compose: ComposeWithCode): AccountEmail {
  return {
    load,
    isRelevant: always,
    recipients: (_db, { reader }) => [reader],
    compose: (link, _reader, context) => compose(link, context),
  }
}

function withCode(
  purpose: 'reset_password' | 'verify_email',
  isRelevant: OwnerRule,
  compose: ComposeWithCode,
  hours?: number,
): AccountEmail {
  return toReader(
    (db, job, now) =>
      transaction(db, async (tx) => {
        // Locked: a correction of the mailbox comes before, and is read, or after, and voids the code.
        const owner = activeIn(await owners(tx, job).for('share'))
        if (!owner || !isRelevant(owner)) return null
        return { ...owner, ...(await makeCode(tx, purpose, owner.reader.id, now, hours)) }
      }),
    compose,
  )
}

/** To the old or the new mailbox of a change of e-mail, unless it has ended. */
function aboutChange(
  purpose: 'change_email' | 'object_email',
  to: 'newEmail' | 'oldEmail',
  isRelevant: (change: Change) => boolean,
  compose: ComposeWithCode,
): AccountEmail {
  return toReader(async (db, { emailChangeId = '' }, now) => {
    const [change] = await db
      .select()
      .from(emailChanges)
      .where(and(eq(emailChanges.id, emailChangeId), isNull(emailChanges.endedAt)))
    if (!change || !isRelevant(change)) return null
    return { reader: mailbox(change[to]), ...(await makeChangeCode(db, purpose, change, now)) }
  }, compose)
}

/** To an address without an account. */
function toFormerMailbox(compose: (context: EmailContext) => EmailContent): AccountEmail {
  return toReader(
    async (_db, { email }) => (email === undefined ? null : { reader: mailbox(email), code: '', until: '' }),
    (_link, context) => compose(context),
  )
}

/** Its code identifies the invitation: a letter whose invitation was sent again meanwhile is not sent. */
function invitationEmail(): Email<AccountEmailJob, NonNullable<Awaited<ReturnType<typeof loadInvitation>>>> {
  return {
    load: loadInvitation,
    isRelevant: ({ id, state }, _now, { invitationId }) => id === invitationId && state === 'open',
    recipients: (_db, { email }) => [mailbox(email)],
    compose: ({ agency, code, expiresAt, kind }, _reader, { baseUrl, brand }) => ({
      heading: `Te invitamos al equipo de ${brand}`,
      paragraphs: [
        'Abre el enlace para crear tu cuenta, o para aceptar con la que ya tienes. Sirve una sola vez.',
        'Si no esperabas esta invitación, no tienes que hacer nada.',
      ],
      facts: [
        ['Rol', kindLabels[kind]],
        agency ? ['Concesionaria', agency] : null,
        ['Vence', longDateTime(expiresAt)],
      ],
      link: { label: 'Ver mi invitación', href: `${baseUrl}/signup?invitacion=${code}` },
    }),
  }
}

/** To the mailbox that signed in before its account was merged, once that stands: it names another mailbox. */
function mergedEmail(): Email<AccountEmailJob, NonNullable<Awaited<ReturnType<typeof loadMerge>>>> {
  return {
    load: loadMerge,
    isRelevant: ({ keptEmail, undoneAt }) => undoneAt === null && hasMailbox(keptEmail),
    recipients: (_db, { reader }) => [{ ...reader, active: true }],
    compose: ({ keptEmail }, { email }, { baseUrl, brand }) => ({
      heading: 'Ahora tienes una sola cuenta',
      paragraphs: [
        `Tenías dos cuentas en ${brand} y nuestro equipo las unió. Tus citas, cotizaciones, pagos y documentos están completos en una sola: no se perdió nada.`,
        `Desde ahora entras con ${keptEmail}. Con ${email} ya no se entra, y los avisos llegan al otro correo.`,
        'Si no recuerdas esa contraseña, elige una nueva desde el inicio de sesión. Si crees que las unimos por error, escríbenos.',
      ],
      facts: [
        ['Tu correo para entrar', keptEmail],
        ['Ya no se usa', email],
      ],
      link: { label: 'Iniciar sesión', href: `${baseUrl}/signin` },
    }),
  }
}

async function loadMerge(db: Db, { mergeId = '' }: AccountEmailJob) {
  const kept = aliasedTable(users, 'kept')
  const [merge] = await db
    .select({ reader: recipient, keptEmail: kept.email, undoneAt: customerMerges.undoneAt })
    .from(customerMerges)
    .innerJoin(users, and(eq(users.id, customerMerges.endedId), isNull(users.deletedAt)))
    // Where that one was merged since, the one that stands.
    .innerJoin(kept, and(eq(kept.id, users.mergedIntoId), kept.active))
    .where(eq(customerMerges.id, mergeId))
  return merge ?? null
}

async function loadInvitation(db: Db, { code }: AccountEmailJob, now: Date) {
  const invitation = code === undefined ? null : await invitationOfCode(db, code, now)
  return invitation && { ...invitation, code }
}

/** The owner of an account, by id or e-mail; none who is inactive. */
async function ownerOf(db: Db, job: AccountEmailJob) {
  return activeIn(await owners(db, job))
}

const owners = (db: Queryable, { userId, email = '' }: AccountEmailJob) =>
  db
    .select({
      reader: recipient,
      role: users.role,
      deletionRequestedAt: users.deletionRequestedAt,
      hasPasskeys: sql<boolean>`exists (select 1 from passkeys k where k.user_id = users.id)`,
    })
    .from(users)
    .where(userId === undefined ? eq(users.email, email) : eq(users.id, userId))

const activeIn = ([owner]: Awaited<ReturnType<typeof owners>>) => (owner?.reader.active ? owner : null)

const recoverLink = (baseUrl: string) => ({
  label: 'Recuperar mi cuenta',
  href: `${baseUrl}/recover-password`,
})
const accountLink = (baseUrl: string, owner: Pick<OwnerFacts, 'role'>) => ({
  label: 'Ver mi cuenta',
  href: isCustomer(owner) ? `${baseUrl}/cuenta` : `${baseUrl}/admin/account`,
})
