import {
  type Actor,
  isCustomer,
  isGester,
  isManager,
  isOffice,
  isStaff,
  isTechnician,
  type StaffKind,
} from '../../access/rules/actor.ts'
import { tidy, withoutTail } from '../../shared/text.ts'

/** The type of a file, detected from its bytes. Pictures are re-encoded; other types are stored unchanged. */
export type DocumentKind = 'pdf' | 'picture' | 'xml'
export type DocumentType = 'application/pdf' | 'image/jpeg' | 'image/png' | 'application/xml'

const megabyte = 1024 * 1024

/** The largest upload of each type, in bytes. */
export const largestDocument: Record<DocumentKind, number> = {
  pdf: 5 * megabyte,
  picture: 12 * megabyte,
  xml: megabyte,
}

type PurposeFacts = {
  label: string
  /** What a form without it says, where it has to come. */
  missing?: string
  kinds: readonly DocumentKind[]
  byCustomers: boolean
  /** Gesters handle these and no other customer documents. */
  byGesters?: true
  /** Documents of an agency: only the manager handles them. */
  ofAgencies?: true
  /** Of a technician or the company: handed in by technicians and the manager. */
  byTechnicians?: true
  /** The shortest long side of a picture of it, in pixels: a smaller one is not legible. */
  leastSide?: number
  /** What may come instead of a PDF that can't be read. */
  instead?: string
}

const capture = 'una captura de la transferencia'

/** The purposes of documents, their file types, and whether customers upload their own. */
const purposes = {
  payment_proof: {
    label: 'Comprobante de pago',
    missing: 'Elige el comprobante de tu transferencia.',
    kinds: ['pdf', 'picture'],
    byCustomers: true,
    leastSide: 600,
    instead: capture,
  },
  refund_proof: {
    label: 'Comprobante de reembolso',
    missing: 'Elige el comprobante de la transferencia.',
    kinds: ['pdf', 'picture'],
    byCustomers: false,
    instead: capture,
  },
  constancia: { label: 'Constancia de Situación Fiscal', kinds: ['pdf'], byCustomers: true },
  invoice_xml: {
    label: 'Factura (XML)',
    missing: 'Elige el XML timbrado.',
    kinds: ['xml'],
    byCustomers: false,
  },
  invoice_pdf: { label: 'Factura (PDF)', missing: 'Elige el PDF.', kinds: ['pdf'], byCustomers: false },
  condominium_permit: {
    label: 'Permiso del condominio',
    kinds: ['pdf', 'picture'],
    byCustomers: true,
    byGesters: true,
    instead: 'una foto del documento',
  },
  cfe_paper: {
    label: 'Documento para CFE',
    kinds: ['pdf', 'picture'],
    byCustomers: true,
    byGesters: true,
    instead: 'una foto del documento',
  },
  commission_proof: {
    label: 'Comprobante de comisiones',
    missing: 'Elige el comprobante de la transferencia.',
    kinds: ['pdf', 'picture'],
    byCustomers: false,
    instead: capture,
    ofAgencies: true,
  },
  staff_paper: {
    label: 'Papel de técnico o de la empresa',
    missing: 'Elige una foto del papel, o su PDF.',
    kinds: ['pdf', 'picture'],
    byCustomers: false,
    byTechnicians: true,
    instead: 'una foto del documento',
  },
} as const satisfies Record<string, PurposeFacts>

export type DocumentPurpose = keyof typeof purposes

/** The purposes of customer documents. */
export type CustomerPurpose = Exclude<DocumentPurpose, 'commission_proof' | 'staff_paper'>
export const documentPurposes: Record<DocumentPurpose, PurposeFacts> = purposes

/**
 * The office uploads any customer document, a gester those for CFE, a customer the ones requested from customers, for
 * themselves; only the manager uploads an agency's, and technicians their own papers.
 */
export function mayHandIn(actor: Actor, purpose: DocumentPurpose, customerId: string | null): boolean {
  const { byCustomers, byGesters, byTechnicians, ofAgencies } = documentPurposes[purpose]
  if (byTechnicians) return isTechnician(actor) || isManager(actor)
  if (ofAgencies) return isManager(actor)
  if (byGesters && isGester(actor)) return true
  return isCustomer(actor) ? actor.id === customerId && byCustomers : isOffice(actor)
}

/** The `accept` attribute of a file input. */
const accepted: Record<DocumentKind, string> = {
  pdf: 'application/pdf,.pdf',
  picture: 'image/jpeg,image/png,image/webp,image/heic,image/heif',
  xml: 'application/xml,text/xml,.xml',
}
export const acceptedFor = (purpose: DocumentPurpose) =>
  documentPurposes[purpose].kinds.map((kind) => accepted[kind]).join()

const kindWords: Record<DocumentKind, string> = {
  pdf: 'PDF de hasta 5\u00a0MB',
  picture: 'foto de hasta 12\u00a0MB',
  xml: 'XML de hasta 1\u00a0MB',
}

/** "PDF de hasta 5 MB o foto de hasta 12 MB" */
export const sizesFor = (purpose: DocumentPurpose) =>
  documentPurposes[purpose].kinds.map((kind) => kindWords[kind]).join(' o ')

const endings: Record<DocumentType, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'application/xml': 'xml',
}
const longestName = 120

/** How many last characters of the sent name are read: a path may precede the file name. */
const longestSent = 1_000

/** A file's name as stored: the sent one without a path or special characters, with the extension of its type. */
export function documentName(sent: string, type: DocumentType): string {
  const own = tidy(sent.slice(-longestSent).replace(/^.*[/\\]/, ''))
    .replace(/\.[a-z\d]{1,5}$/i, '')
    .replace(/[^\p{L}\p{M}\p{N} ._()-]/gu, '')
  const bare = withoutTail(own, '. ').replace(/^[. ]+/, '')
  return `${[...bare].slice(0, longestName).join('').trim() || 'documento'}.${endings[type]}`
}

/** An account's upload limits for an hour: the number of files, and their total in kilobytes. */
type UploadShare = { files: number; kilobytes: number }

const kilobytesPerMegabyte = 1024
const gigabyte = 1024 * kilobytesPerMegabyte

/** Documents of 5 to 12 MB, two for each invoice: the most that one person uploads in an hour. */
const desk: UploadShare = { files: 600, kilobytes: 4 * gigabyte }

const ofStaff: Record<StaffKind, UploadShare> = {
  manager: desk,
  analyst: desk,
  gester: desk,
  // A phone that was offline for three days uploads everything at once: six visits a day with 40 pictures each, some
  // taken twice. At most 12 MB each, mostly four.
  tecnician: { files: 1_500, kilobytes: 10 * gigabyte },
  // They upload no documents.
  alliate: { files: 10, kilobytes: 30 * kilobytesPerMegabyte },
}

/** A proof for each payment, the Constancia, the permit and CFE's papers, each tried several times. */
const customer: UploadShare = { files: 60, kilobytes: 200 * kilobytesPerMegabyte }

/** Such an account is created in seconds, so its share is small: the Constancia and some photos, sent twice. */
const unproved: UploadShare = { files: 10, kilobytes: 40 * kilobytesPerMegabyte }

/** The upload share of an account. */
export function uploadShareOf(actor: Actor): UploadShare {
  if (isStaff(actor)) return ofStaff[actor.kind]
  return actor.emailVerified ? customer : unproved
}
