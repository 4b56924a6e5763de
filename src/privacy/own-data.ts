import { Readable } from 'node:stream'
import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import { Zip, ZipPassThrough } from 'fflate'
import type { Actor } from '../access/rules/actor.ts'
import { ownConsents, ownReads } from '../accounts/privacy.ts'
import { ownSessions, passkeysOf } from '../accounts/providers.ts'
import { ownAgencies } from '../agencies/agency-queries.ts'
import { interestLabel, serviceFacts, stateFacts } from '../appointments/rules/appointment.ts'
import { ownCases } from '../cfe/rows.ts'
import { ownMessages } from '../notifications/whatsapp.ts'
import type { Db } from '../platform/database/client.ts'
import { accounts, type BlockedFile, users } from '../platform/database/schema/accounts.ts'
import { appointments, callMessages, calls, files } from '../platform/database/schema/appointments.ts'
import { addresses, projects, tasks } from '../platform/database/schema/projects.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { addressLine, dwellingLabels, parkingLabels } from '../projects/rules/address.ts'
import { chargerInWords, vehicleInWords } from '../projects/rules/equipment.ts'
import { type Pinned, pinOf, pinText } from '../projects/rules/pin.ts'
import { ownReportedFaults, ownReports } from '../reports/queries.ts'
import { slotFacts } from '../reports/rules/photos.ts'
import { sheetKindOf } from '../reports/rules/report.ts'
import { refuse } from '../shared/refusal.ts'
import { ownMoney, ownTrail } from './own-records.ts'

/** One record about a user, by the labels of its parts. */
export type DataHolding = Record<string, string | boolean | Date | null>

/** All data about a user, under headings: the same for reading and for the export. */
export type OwnData = { heading: string; holdings: DataHolding[] }[]

/** All data about the actor, and about no other user; without passwords, tokens, secrets or codes. */
export async function ownData(db: Db, actor: Actor, sessionId: string): Promise<OwnData> {
  const { id } = actor
  const [
    account,
    merged,
    access,
    sessions,
    places,
    equipment,
    visits,
    chat,
    reports,
    broken,
    pictures,
    bills,
    brought,
    paperwork,
    errands,
    agreed,
    messages,
    reads,
    trail,
  ] = await Promise.all([
    accountOf(db, id),
    mergedAccountsOf(db, id),
    accessOf(db, id),
    ownSessions(db, actor, sessionId),
    placesOf(db, id),
    equipmentOf(db, id),
    visitsOf(db, id),
    chatOf(db, id),
    ownReports(db, id),
    ownReportedFaults(db, id),
    picturesOf(db, id),
    ownMoney(db, id),
    ownAgencies(db, id),
    ownCases(db, id),
    errandsOf(db, id),
    ownConsents(db, id),
    ownMessages(db, id),
    ownReads(db, id),
    ownTrail(db, id),
  ])
  const told = trail.map(({ what, at }) => ({ Qué: what, Cuándo: at }))
  return [
    { heading: 'Tu cuenta', holdings: [account] },
    ...(merged.length > 0 ? [{ heading: 'Cuentas tuyas que unimos con esta', holdings: merged }] : []),
    { heading: 'Cómo entras', holdings: access },
    {
      heading: 'Sesiones abiertas',
      holdings: sessions.map(({ device, address, since, lastUsed }) => ({
        Dispositivo: device,
        'Dirección de red': address,
        Desde: since,
        'Último uso': lastUsed,
      })),
    },
    { heading: 'Domicilios', holdings: places },
    { heading: 'Tu auto y tu cargador', holdings: equipment },
    { heading: 'Citas', holdings: visits },
    { heading: 'Chat de tus videollamadas', holdings: chat },
    { heading: 'Reportes de tu instalación', holdings: reports },
    { heading: 'Fallas que reportaste', holdings: broken },
    { heading: 'Fotos y firmas', holdings: pictures },
    ...bills,
    { heading: 'Tu concesionaria', holdings: brought },
    ...(paperwork.length > 0 ? [{ heading: 'Tus trámites ante CFE', holdings: paperwork }] : []),
    { heading: 'Llamadas y pendientes', holdings: errands },
    { heading: 'Tus consentimientos', holdings: agreed },
    { heading: 'Mensajes de WhatsApp', holdings: messages },
    { heading: 'Quién consultó tus datos fiscales', holdings: reads },
    { heading: 'Historial', holdings: told },
  ]
}

async function accountOf(db: Db, id: string): Promise<DataHolding> {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  if (!user) refuse('not-found')
  return {
    Nombre: user.name,
    Apellidos: user.lastname,
    Correo: user.email,
    'Correo confirmado': user.emailVerified,
    Teléfono: user.phone,
    'Cuenta creada': user.signedUpAt,
    'Perfil completado': user.createdAt,
    'Términos aceptados': user.termsAcceptedAt,
    'Versión de los términos': user.termsVersion,
    'Quieres avisos por WhatsApp desde': user.whatsappOptInAt,
    'Quieres novedades por correo desde': user.newsOptInAt,
    'Pediste eliminar tu cuenta': user.deletionRequestedAt,
  }
}

async function mergedAccountsOf(db: Db, id: string): Promise<DataHolding[]> {
  const rows = await db.select().from(users).where(eq(users.mergedIntoId, id)).orderBy(users.signedUpAt)
  return rows.map((user) => ({
    Nombre: user.name,
    Apellidos: user.lastname,
    Correo: user.email,
    Teléfono: user.phone,
    'Cuenta creada': user.signedUpAt,
  }))
}

async function accessOf(db: Db, id: string): Promise<DataHolding[]> {
  const rows = await db
    .select({ provider: accounts.providerId, since: accounts.createdAt })
    .from(accounts)
    .where(eq(accounts.userId, id))
  return [
    ...rows.map(({ provider, since }) => ({
      Forma: provider === 'credential' ? 'Correo y contraseña' : 'Otro servicio',
      Desde: since,
    })),
    ...(await passkeysOf(db, id)).map(({ name, createdAt, lastUsedAt }) => ({
      Forma: `Llave de acceso (${name})`,
      Desde: createdAt,
      'Último uso': lastUsedAt,
    })),
  ]
}

async function placesOf(db: Db, id: string): Promise<DataHolding[]> {
  const rows = await db
    .select({ address: addresses })
    .from(addresses)
    .innerJoin(projects, eq(projects.id, addresses.projectId))
    .where(eq(projects.customerId, id))
    .orderBy(addresses.createdAt)
  return rows.map(({ address }) => ({
    Domicilio: addressLine(address),
    'Entre calles': address.betweenStreets,
    Referencias: address.references,
    'Quién recibe': address.receiverName,
    'Teléfono de quien recibe': address.receiverPhone,
    'Tipo de vivienda': labelIn(dwellingLabels, address.dwelling),
    Estacionamiento: labelIn(parkingLabels, address.parking),
    'Notas de acceso': address.gateNotes,
    'Número de servicio de CFE': address.cfeServiceNumber,
    Registrado: address.createdAt,
    'Ubicación en el mapa': pinWords(address),
    'Dejó de usarse': address.archivedAt,
    'Pediste aviso de cobertura': address.wantsNoticeAt,
  }))
}

function pinWords(address: Pinned): string | null {
  const pin = pinOf(address)
  return pin && pinText(pin)
}

const labelIn = (labels: Record<string, string>, key: string) => labels[key] ?? key

async function equipmentOf(db: Db, id: string): Promise<DataHolding[]> {
  const rows = await db.select().from(projects).where(eq(projects.customerId, id)).orderBy(projects.createdAt)
  return rows.flatMap(({ vehicle, charger }) =>
    vehicle || charger
      ? [
          {
            Auto: vehicleInWords(vehicle),
            'Fecha de entrega': vehicle?.deliveredOn ?? null,
            Cargador: chargerInWords(charger),
          },
        ]
      : [],
  )
}

async function visitsOf(db: Db, id: string): Promise<DataHolding[]> {
  const rows = await db
    .select({ visit: appointments, summary: calls.summary, nextSteps: calls.nextSteps })
    .from(appointments)
    .leftJoin(calls, eq(calls.appointmentId, appointments.id))
    .where(eq(appointments.customerId, id))
    .orderBy(appointments.startsAt)
  return rows.map(({ nextSteps, summary, visit }) => ({
    Folio: visit.folio,
    Servicio: serviceFacts[visit.service].label,
    Estado: stateFacts[visit.state].label,
    Cuándo: visit.startsAt,
    Domicilio: visit.address && addressLine(visit.address),
    Tema: interestLabel(visit.interest),
    'Lo que escribiste': visit.notes,
    'Cómo terminó': visit.closingNote,
    'De qué hablamos': summary,
    'Qué sigue': nextSteps,
    'Entraste a la sala': visit.customerCameAt,
    'Pediste que te llamáramos': visit.callBackAskedAt,
    Agendada: visit.createdAt,
  }))
}

/** Both sides of a conversation: the customer took part in it. */
async function chatOf(db: Db, id: string): Promise<DataHolding[]> {
  const rows = await db
    .select({ folio: appointments.folio, line: callMessages })
    .from(callMessages)
    .innerJoin(appointments, eq(appointments.id, callMessages.appointmentId))
    .where(eq(appointments.customerId, id))
    .orderBy(callMessages.at, callMessages.id)
  return rows.map(({ folio, line }) => ({
    Folio: folio,
    Quién: line.side === 'customer' ? 'Tú' : 'Tu analista',
    Mensaje: line.text,
    Cuándo: line.at,
  }))
}

/** Current pictures of one's home and pictures one took. Replaced ones are deleted. */
async function picturesOf(db: Db, id: string): Promise<DataHolding[]> {
  const rows = await db
    .select({ folio: appointments.folio, service: appointments.service, file: files })
    .from(files)
    .innerJoin(appointments, eq(appointments.id, files.appointmentId))
    .where(and(eq(appointments.customerId, id), isNull(files.replacedAt)))
    .orderBy(files.capturedAt)
  return rows.map(({ file, folio, service }) => ({
    Folio: folio,
    Qué: slotFacts(sheetKindOf[service] ?? 'visit', file.slot)?.label ?? file.slot,
    Tomada: file.capturedAt,
    Recibida: file.arrivedAt,
    'Huella digital (SHA-256)': file.sha256,
  }))
}

async function errandsOf(db: Db, id: string): Promise<DataHolding[]> {
  const own = db.select({ id: projects.id }).from(projects).where(eq(projects.customerId, id))
  const rows = await db
    .select()
    .from(tasks)
    .where(or(eq(tasks.personId, id), inArray(tasks.projectId, own)))
    .orderBy(tasks.createdAt)
  return rows.map((task) => ({
    Asunto: task.subject,
    Teléfono: task.phone,
    Desde: task.createdAt,
    Atendido: task.doneAt,
  }))
}

type Entry = { name: string; bytes: Uint8Array }

/**
 * All data about a user as one file: the records as JSON, with times as ISO text, and each picture and paper beside it.
 */
export function archiveOf(drive: Drive, held: unknown, files: readonly BlockedFile[]): ReadableStream {
  return Readable.toWeb(Readable.from(zipped(entriesOf(drive, held, files)))) as ReadableStream
}

/** A ZIP archive, one file in memory at a time, not compressed: pictures and PDFs are already. */
async function* zipped(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  for await (const { bytes, name } of entries) {
    const file = new ZipPassThrough(name)
    zip.add(file)
    file.push(bytes, true)
    yield* chunks.splice(0)
  }
  zip.end()
  yield* chunks
}

async function* entriesOf(drive: Drive, held: unknown, files: readonly BlockedFile[]): AsyncGenerator<Entry> {
  yield { name: 'mis-datos.json', bytes: Buffer.from(JSON.stringify(held, null, 2)) }
  for (const { key, name } of files) {
    // A file that is not on the drive is left out.
    const bytes = await drive.get(key)
    if (bytes) yield { name, bytes }
  }
}
