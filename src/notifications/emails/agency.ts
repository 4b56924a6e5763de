import { and, asc, eq } from 'drizzle-orm'
import { isGiven } from '../../agencies/client-invitations.ts'
import { inviteLink } from '../../agencies/rules/clients.ts'
import { benefitFrom, benefitWords } from '../../agencies/rules/codes.ts'
import { stopLabels } from '../../agencies/rules/integrations.ts'
import type { Db } from '../../platform/database/client.ts'
import { users } from '../../platform/database/schema/accounts.ts'
import {
  clients,
  codes,
  commissionPayouts,
  webhookEndpoints,
} from '../../platform/database/schema/agencies.ts'
import { agencies } from '../../platform/database/schema/projects.ts'
import { hashOf } from '../../platform/http/sealing.ts'
import type {
  ClientEmailJob,
  CodeEmailJob,
  PayoutEmailJob,
  WebhookEmailJob,
} from '../../platform/jobs/emails.ts'
import { longDate, money } from '../../shared/format.ts'
import { activeManagers, type Email, type EmailsOf, type Fact, mailbox, recipient } from '../email.ts'

type ClientFacts = NonNullable<Awaited<ReturnType<typeof loadClient>>>

/** The mailbox is unverified, so the e-mail contains nothing that a user typed. */
const clientInvitation: Email<ClientEmailJob, ClientFacts> = {
  load: loadClient,
  isRelevant: ({ customerId, email, endedAt, endsAt, inviteHash, token }, now) =>
    email !== null &&
    !customerId &&
    !endedAt &&
    inviteHash === hashOf(token) &&
    endsAt !== null &&
    endsAt > now,
  recipients: (_db, { email, id }) => (email ? [mailbox(email, id)] : []),
  compose: ({ agency, benefitKind, benefitValue, code, endsAt, token }, _reader, { baseUrl, brand }) => ({
    subject: `${agency} te invita a instalar tu cargador en casa`,
    heading: 'Tu cargador, instalado en casa',
    paragraphs: [
      `${agency} nos dijo que quieres instalar un cargador para tu auto eléctrico. Crea tu cuenta con este enlace y agenda tu visita técnica: ${brand} se encarga de lo demás.`,
      'Si no lo pediste, no hagas nada: borramos tus datos cuando el enlace termina.',
    ],
    facts: [
      code ? ['Tu código', code] : null,
      benefitKind && benefitKind !== 'none'
        ? ['Tu beneficio', benefitWords(benefitFrom({ kind: benefitKind, value: benefitValue ?? 0 }))]
        : null,
      endsAt ? ['El enlace sirve hasta', longDate(endsAt)] : null,
    ],
    link: { label: 'Empezar', href: baseUrl + inviteLink(token, code) },
  }),
}

/** With its code only while it is valid. */
async function loadClient(db: Db, { clientId, token }: ClientEmailJob, now: Date) {
  const [row] = await db
    .select({
      id: clients.id,
      email: clients.email,
      customerId: clients.customerId,
      endedAt: clients.endedAt,
      inviteHash: clients.inviteHash,
      endsAt: clients.inviteExpiresAt,
      agency: agencies.name,
      code: codes.code,
      benefitKind: codes.benefitKind,
      benefitValue: codes.benefitValue,
    })
    .from(clients)
    .innerJoin(agencies, eq(agencies.id, clients.agencyId))
    .leftJoin(codes, and(eq(codes.id, clients.codeId), isGiven(now)))
    .where(eq(clients.id, clientId))
  return row && { ...row, token }
}

type CodeFacts = NonNullable<Awaited<ReturnType<typeof loadCode>>>

const codeToApprove: Email<CodeEmailJob, CodeFacts> = {
  load: loadCode,
  isRelevant: ({ state }) => state === 'draft',
  recipients: activeManagers,
  compose: (code, _reader, { baseUrl }) => ({
    subject: `Hay un código por aprobar: ${code.code}`,
    heading: 'Un código espera tu aprobación',
    paragraphs: [
      'Su beneficio pasa del límite de la concesionaria. Nadie lo puede usar hasta que lo apruebes.',
    ],
    facts: [
      ['Código', code.code],
      benefitFact(code),
      ['Concesionaria', code.agency],
      ['Lo pide', [code.owner.name, code.lastname].filter(Boolean).join(' ')],
    ],
    link: {
      label: 'Ver los códigos',
      href: `${baseUrl}/admin/agency/${code.agencyId}/codigos`,
    },
  }),
}

const codeApproved: Email<CodeEmailJob, CodeFacts> = {
  load: loadCode,
  isRelevant: ({ state }) => state === 'active',
  recipients: activeOwner,
  compose: (code, _reader, { baseUrl }) => ({
    subject: `Tu código ${code.code} ya está activo`,
    heading: 'Aprobamos tu código',
    paragraphs: ['Ya lo puedes compartir.'],
    facts: [['Código', code.code], benefitFact(code)],
    link: { label: 'Ver mis códigos', href: `${baseUrl}/admin/alliate/codes` },
  }),
}

const codeRefused: Email<CodeEmailJob, CodeFacts> = {
  load: loadCode,
  isRelevant: ({ state }) => state === 'revoked',
  recipients: activeOwner,
  compose: (code, _reader, { baseUrl }) => ({
    heading: 'No aprobamos tu código',
    subject: `No aprobamos tu código ${code.code}`,
    paragraphs: ['Puedes crear otro dentro del límite de tu concesionaria.'],
    facts: [
      ['Código', code.code],
      benefitFact(code),
      code.refusedReason ? ['Motivo', code.refusedReason] : null,
    ],
    link: { label: 'Ver mis códigos', href: `${baseUrl}/admin/alliate/codes` },
  }),
}

function activeOwner(_db: Db, { owner }: CodeFacts) {
  return owner.active ? [owner] : []
}

const benefitFact = (code: CodeFacts): Fact => ['Beneficio', benefitWords(benefitFrom(code))]

async function loadCode(db: Db, { codeId }: CodeEmailJob) {
  const [row] = await db
    .select({
      code: codes.code,
      state: codes.state,
      agencyId: codes.agencyId,
      agency: agencies.name,
      kind: codes.benefitKind,
      value: codes.benefitValue,
      refusedReason: codes.refusedReason,
      owner: recipient,
      lastname: users.lastname,
    })
    .from(codes)
    .innerJoin(agencies, eq(agencies.id, codes.agencyId))
    .innerJoin(users, eq(users.id, codes.ownerId))
    .where(eq(codes.id, codeId))
  return row
}

type PayoutFacts = NonNullable<Awaited<ReturnType<typeof loadPayout>>>

/** Notifies an agency's allies of a transfer to it: the sum, without what it is for. */
const commissionPaid: Email<PayoutEmailJob, PayoutFacts> = {
  load: loadPayout,
  isRelevant: () => true,
  recipients: (db, { agencyId }) =>
    db
      .select(recipient)
      .from(users)
      .where(and(eq(users.agencyId, agencyId), eq(users.kind, 'alliate'), users.active))
      .orderBy(asc(users.id)),
  compose: ({ agency, agencyId, amount, paidOn, reference }, _reader, { baseUrl }) => ({
    subject: `Transferimos las comisiones de ${agency}`,
    heading: 'Transferimos las comisiones de tu concesionaria',
    paragraphs: [`Hicimos una transferencia a ${agency} por las comisiones aprobadas.`],
    facts: [
      ['Total', money(amount)],
      ['Día', longDate(paidOn)],
      ['Referencia', reference],
    ],
    link: { label: 'Ver las comisiones', href: `${baseUrl}/admin/agency/${agencyId}/comisiones` },
  }),
}

async function loadPayout(db: Db, { payoutId }: PayoutEmailJob) {
  const { amount, paidOn, reference } = commissionPayouts
  const [payout] = await db
    .select({ agencyId: agencies.id, agency: agencies.name, amount, paidOn, reference })
    .from(commissionPayouts)
    .innerJoin(agencies, eq(agencies.id, commissionPayouts.agencyId))
    .where(eq(commissionPayouts.id, payoutId))
  return payout
}

type EndpointFacts = NonNullable<Awaited<ReturnType<typeof loadEndpoint>>>

/** About an endpoint that was disabled automatically; not once a manager has handled it. */
const webhookOff: Email<WebhookEmailJob, EndpointFacts> = {
  load: loadEndpoint,
  isRelevant: ({ reason }) => reason !== null && reason !== 'manager',
  recipients: activeManagers,
  compose: ({ agency, agencyId, reason, url }, _reader, { baseUrl }) => ({
    subject: `Apagamos los avisos a un sistema de ${agency}`,
    heading: 'Apagamos un destino de avisos',
    paragraphs: [
      'Ya no le mandamos los cambios de etapa de sus clientes. Avisa a la concesionaria; cuando lo arregle, enciéndelo y envía de nuevo lo que no llegó.',
    ],
    facts: [
      ['Concesionaria', agency],
      // The rest of the URL may contain a secret.
      ['Servidor', new URL(url).host],
      reason && ['Motivo', stopLabels[reason]],
    ],
    link: { label: 'Ver los envíos', href: `${baseUrl}/admin/agency/${agencyId}/integracion` },
  }),
}

async function loadEndpoint(db: Db, { endpointId }: WebhookEmailJob) {
  const [endpoint] = await db
    .select({
      agencyId: agencies.id,
      agency: agencies.name,
      url: webhookEndpoints.url,
      reason: webhookEndpoints.stoppedReason,
    })
    .from(webhookEndpoints)
    .innerJoin(agencies, eq(agencies.id, webhookEndpoints.agencyId))
    .where(eq(webhookEndpoints.id, endpointId))
  return endpoint
}

/** The e-mails about agencies: their clients, codes, commissions and integrations. */
export const agencyEmails = {
  client: { client_invitation: clientInvitation },
  person: { code_approved: codeApproved, code_refused: codeRefused },
  allies: { commission_paid: commissionPaid },
  managers: { code_to_approve: codeToApprove, webhook_off: webhookOff },
} satisfies EmailsOf<ClientEmailJob | CodeEmailJob | PayoutEmailJob | WebhookEmailJob>
