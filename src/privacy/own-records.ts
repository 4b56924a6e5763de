import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { accountsOf } from '../accounts/privacy.ts'
import { documentPurposes } from '../documents/rules/document.ts'
import { invoiceKindLabels, invoiceStateFacts } from '../invoices/rules/invoice.ts'
import { cfdiUseLabel, fiscalStateFacts, regimeLabel } from '../invoices/rules/taxpayer.ts'
import {
  conceptOf,
  isWithdrawn,
  methodLabels,
  refundStandingOf,
  standingOf,
} from '../payments/rules/payment.ts'
import type { Db } from '../platform/database/client.ts'
import {
  documents,
  fiscalData,
  invoices,
  payments,
  quotes,
  refunds,
} from '../platform/database/schema/payments.ts'
import { events } from '../platform/database/schema/projects.ts'
import { isCharged, optionNames } from '../quotes/rules/content.ts'
import { quoteStateFacts } from '../quotes/rules/quote.ts'
import { totalsOfOption } from '../quotes/rules/totals.ts'
import { money } from '../shared/format.ts'

const amountOf = (centavos: number | null) => (centavos === null ? null : money(centavos))

/** The quotes sent to a user, with the offer of each option; a draft belongs to the office. */
async function quotesOf(db: Db, customerId: string) {
  const rows = await db
    .select()
    .from(quotes)
    .where(and(eq(quotes.customerId, customerId), isNotNull(quotes.sentAt)))
    .orderBy(asc(quotes.sentAt))
  return rows.map((quote) => ({
    Folio: quote.folio,
    Versión: String(quote.revision),
    Estado: quoteStateFacts[quote.state].label,
    'Para quién': quote.addressee,
    Enviada: quote.sentAt,
    'La viste': quote.viewedAt,
    Vence: quote.validUntil,
    ...Object.fromEntries(
      quote.content.options.map((option) => [
        `Opción ${optionNames[option.id]}`,
        `${money(totalsOfOption(option).total)}: ${option.lines
          .filter(isCharged)
          .map(({ description }) => description)
          .join('; ')}`,
      ]),
    ),
    'Lo que dijiste': quote.reason,
    Aceptada: quote.acceptedAt,
    'Nombre con que aceptaste': quote.acceptedName,
    'Dirección de red al aceptar': quote.acceptedIp,
    'Total aceptado': amountOf(quote.acceptedTotal),
    Anticipo: amountOf(quote.depositAmount),
    'Huella digital (SHA-256)': quote.digest,
  }))
}

async function paymentsOf(db: Db, customerId: string) {
  const rows = await db
    .select()
    .from(payments)
    .where(eq(payments.customerId, customerId))
    .orderBy(asc(payments.createdAt))
  return rows.map((payment) => ({
    Folio: payment.folio,
    Concepto: conceptOf(payment),
    Monto: money(payment.amount),
    Estado: standingOf(payment).label,
    Forma: payment.method && methodLabels[payment.method],
    Banco: payment.bank,
    'Clave de rastreo': payment.trackingKey,
    'Por qué se rechazó el comprobante': payment.rejectedReason,
    'Claves de comprobantes rechazados': payment.rejectedKeys.join(', ') || null,
    Solicitado: payment.createdAt,
    'Límite de pago': payment.dueAt,
    Pagado: payment.paidAt,
    Corregido: payment.reversedAt,
  }))
}

async function refundsOf(db: Db, customerId: string) {
  const rows = await db
    .select()
    .from(refunds)
    .where(eq(refunds.customerId, customerId))
    .orderBy(asc(refunds.createdAt))
  return rows.map((refund) => ({
    Folio: refund.folio,
    Monto: money(refund.amount),
    Estado: refundStandingOf({ ...refund, isWithdrawn: isWithdrawn(refund) }).label,
    Motivo: refund.reason,
    CLABE: refund.clabe,
    Beneficiario: refund.beneficiary,
    'Por qué no procede': refund.refusedReason,
    Solicitado: refund.createdAt,
    Pagado: refund.paidAt,
  }))
}

async function fiscalOf(db: Db, customerId: string) {
  const rows = await db.select().from(fiscalData).where(eq(fiscalData.customerId, customerId))
  return rows.map((fiscal) => ({
    RFC: fiscal.rfc,
    'Nombre fiscal': fiscal.legalName,
    Régimen: regimeLabel(fiscal.regime),
    'Uso del CFDI': cfdiUseLabel(fiscal.cfdiUse),
    'Código postal': fiscal.postalCode,
    'Correo para facturas': fiscal.email,
    Estado: fiscalStateFacts[fiscal.state].label,
    'Qué hay que corregir': fiscal.rejectedReason,
  }))
}

async function invoicesOf(db: Db, customerId: string) {
  const rows = await db
    .select()
    .from(invoices)
    .where(eq(invoices.customerId, customerId))
    .orderBy(asc(invoices.createdAt))
  return rows.map((invoice) => ({
    Qué: invoiceKindLabels[invoice.kind],
    Estado: invoiceStateFacts[invoice.state].label,
    Total: money(invoice.total),
    'Folio fiscal': invoice.uuid,
    'A nombre de': receiverOf(invoice.request),
    Solicitada: invoice.createdAt,
    Emitida: invoice.issuedAt,
    Cancelada: invoice.cancelledAt,
  }))
}

/** The receiver, as requested. */
function receiverOf(request: unknown): string | null {
  const { Receptor } = request as { Receptor?: { Rfc?: string; Nombre?: string } }
  return Receptor ? [Receptor.Rfc, Receptor.Nombre].filter(Boolean).join(', ') : null
}

/** Replaced papers are deleted. */
async function papersOf(db: Db, customerId: string) {
  const rows = await db
    .select()
    .from(documents)
    .where(and(eq(documents.customerId, customerId), isNull(documents.replacedAt)))
    .orderBy(asc(documents.createdAt))
  return rows.map(({ createdAt, name, purpose, sha256 }) => ({
    Qué: documentPurposes[purpose].label,
    Archivo: name,
    Recibido: createdAt,
    'Huella digital (SHA-256)': sha256,
  }))
}

/** What we hold of a user's quotes and money, under headings. */
export async function ownMoney(db: Db, customerId: string) {
  const parts = [
    ['Cotizaciones', quotesOf],
    ['Pagos', paymentsOf],
    ['Reembolsos', refundsOf],
    ['Datos fiscales', fiscalOf],
    ['Facturas', invoicesOf],
    ['Documentos', papersOf],
  ] as const
  return Promise.all(
    parts.map(async ([heading, read]) => ({ heading, holdings: await read(db, customerId) })),
  )
}

/** What happened to a user's account, projects, addresses, appointments and money, the oldest first. */
export async function ownTrail(db: Db, id: string): Promise<{ what: string; at: Date }[]> {
  const rows = await db
    .select({ entity: events.entity, name: events.name, at: events.at })
    .from(events)
    .where(
      sql`${events.entityId} in (
        ${accountsOf(id)}
        union all select id from projects where customer_id = ${id}
        union all select a.id from addresses a join projects p on p.id = a.project_id where p.customer_id = ${id}
        union all select id from appointments where customer_id = ${id}
        union all select id from quotes where customer_id = ${id} and sent_at is not null
        union all select id from payments where customer_id = ${id}
        union all select id from refunds where customer_id = ${id}
        union all select id from clients where customer_id = ${id}
        union all select id from invoices where customer_id = ${id})`,
    )
    .orderBy(events.id)
  return rows.map(({ entity, name, at }) => ({
    what: `${entities[entity] ?? entity}: ${happenings[name] ?? name}`,
    at,
  }))
}

const entities: Record<string, string> = {
  user: 'Cuenta',
  project: 'Proyecto',
  address: 'Domicilio',
  appointment: 'Cita',
  quote: 'Cotización',
  payment: 'Pago',
  refund: 'Reembolso',
  fiscal: 'Datos fiscales',
  invoice: 'Factura',
  client: 'Concesionaria',
}

const happenings: Record<string, string> = {
  sign_up: 'creada',
  complete_profile: 'perfil completado',
  edit_profile: 'datos cambiados',
  choose_notices: 'avisos elegidos',
  change_password: 'contraseña cambiada',
  reset_password: 'contraseña recuperada',
  verify_email: 'correo confirmado',
  take_over: 'acceso de antes cerrado, por teléfono',
  disown: 'borrada: el correo era de otra persona',
  correct_profile: 'datos corregidos por la gerencia',
  ask_email_change: 'cambio de correo solicitado',
  cancel_email_change: 'cambio de correo cancelado',
  change_email: 'correo cambiado',
  object_email_change: 'cambio de correo no reconocido',
  link_provider: 'entrada con otro servicio agregada',
  unlink_provider: 'entrada con otro servicio quitada',
  add_passkey: 'llave de acceso agregada',
  remove_passkey: 'llave de acceso quitada',
  close_session: 'sesión cerrada',
  close_other_sessions: 'demás sesiones cerradas',
  change_role: 'rol cambiado',
  activate: 'activada',
  deactivate: 'desactivada',
  merge: 'unida con otra tuya',
  merge_away: 'unida con otra tuya',
  undo_merge: 'separada de otra',
  ask_deletion: 'eliminación solicitada',
  take_back_deletion: 'eliminación cancelada',
  put_off_deletion: 'eliminación aplazada',
  block: 'datos bloqueados',
  erase: 'datos suprimidos',
  open: 'abierto',
  create: 'registrado',
  update: 'cambiado',
  archive: 'quitado',
  ask_for_notice: 'aviso solicitado',
  book: 'agendada',
  assign: 'asignada',
  reassign: 'reasignada',
  confirm: 'confirmada',
  release: 'sin persona',
  change_address: 'cambió de domicilio',
  setOut: 'en camino',
  start: 'empezó',
  finish: 'terminó',
  cancel: 'cancelada',
  undoCancel: 'cancelación deshecha',
  keepWaiting: 'siguió la espera en la sala',
  askCallBack: 'llamada por teléfono solicitada',
  missCall: 'cancelada porque nadie llegó',
  without_person: 'se buscó quién la atienda',
  replace_provisional: 'se buscó a alguien más',
  optimise: 'otra persona elegida',
  undo_optimise: 'persona anterior elegida',
  turn_on_second_factor: 'segundo factor activado',
  turn_off_second_factor: 'segundo factor desactivado',
  remove_second_factor: 'segundo factor y llaves de acceso quitados',
  renew_recovery_codes: 'códigos de recuperación nuevos',
  enter_by_phone_code: 'entrada con un código de WhatsApp',
  make_calendar_link: 'enlace de calendario creado',
  remove_calendar_link: 'enlace de calendario quitado',
  share_visit: 'enlace para tu familia creado',
  stop_sharing_visit: 'enlace para tu familia quitado',
  promote: 'rol cambiado',
  change_agency: 'concesionaria cambiada',
  begin: 'preparada',
  send: 'enviada',
  unsend: 'envío deshecho',
  view: 'vista',
  remind: 'recordatorio enviado',
  accept: 'aceptada',
  reject: 'rechazada',
  askChanges: 'cambios solicitados',
  askAnew: 'otra solicitada',
  expire: 'vencida',
  withdraw: 'retirada',
  supersede: 'reemplazada',
  replace: 'reemplazada',
  improve: 'reemplazada por una con tu código',
  benefit: 'descuento de tu código agregado',
  lapse: 'terminó sin anticipo',
  moveHome: 'otro domicilio aprobado',
  leaveHome: 'otro domicilio aprobado, por cotizar de nuevo',
  ready: 'instalación lista para agendar',
  demand: 'solicitado',
  send_proof: 'comprobante enviado',
  replace_proof: 'comprobante cambiado',
  take_back_proof: 'comprobante retirado',
  reject_proof: 'comprobante rechazado',
  begin_card: 'pago con tarjeta iniciado',
  pay: 'pagado',
  reverse: 'registro corregido',
  request: 'solicitud',
  approve: 'aprobado',
  refuse: 'no procede',
  adjust: 'monto ajustado',
  issue: 'emitida',
  register: 'te registró',
  join: 'te trajo',
  addCode: 'código agregado',
  attribute: 'te atribuyó la gerencia',
  hand_over: 'pasaste a otra persona',
  stage: 'avance de tu proyecto',
  end: 'terminó',
}
