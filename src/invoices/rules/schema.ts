import { z } from 'zod'
import { faultOfCode } from '../../projects/rules/postal-codes.ts'
import {
  hasEmoji,
  requiredEmail,
  requiredText,
  seenVersion,
  staleForm,
  withoutEmojis,
} from '../../shared/schema.ts'
import { tidy } from '../../shared/text.ts'
import { legalNameOf, withoutCapitalRegime } from './legal-name.ts'
import {
  type CfdiUse,
  cfdiUseFits,
  cfdiUses,
  faultOfRfc,
  genericTerms,
  kindOfRfc,
  normaliseRfc,
  type Regime,
  regimeFits,
  regimes,
  taxpayerKinds,
} from './taxpayer.ts'

const id = z.uuid(staleForm)

const held = { invoiceId: id, version: seenVersion }
const reason = requiredText('Escribe por qué se cancela.', 300)

/** The forms about a project's invoices, by their intent; the files of a stamped one are sent with them. */
export const invoiceInput = {
  'request-invoice': z.object({ quoteId: id }),
  'issue-invoice': z.object(held),
  'cancel-invoice': z.object({ ...held, reason }),
  'retry-stamp': z.object({ invoiceId: id }),
}

/** The recipient of a customer's invoices. */
export type FiscalData = {
  rfc: string
  legalName: string
  regime: Regime
  cfdiUse: CfdiUse
  postalCode: string
  email: string
}

/** The SAT's own limit. */
const longestLegalName = 300

const typed = z.object({
  intent: z.enum(['keep-fiscal', 'submit-fiscal'], staleForm),
  rfc: z.preprocess(normaliseRfc, z.string()),
  legalName: z.preprocess(legalNameOf, z.string()),
  regime: z.preprocess(tidy, z.string()),
  cfdiUse: z.preprocess(tidy, z.string()),
  postalCode: z.preprocess((sent) => tidy(sent).replace(/[\s-]/g, ''), z.string()),
  email: z.preprocess(tidy, z.string()),
  /** Absent in the first form. */
  version: seenVersion.optional(),
})
type Typed = z.output<typeof typed>

/** The form of /fiscal. `issuer` gives the postal code for generic RFCs, '' while the issuer has none. */
export const fiscalInput = (issuer: { postalCode: string }) =>
  typed.transform(({ intent, version = null, ...sent }, ctx) => {
    const asked = withTerms(sent, issuer)
    const errors = faultsOf(asked)
    for (const [field, message] of Object.entries(errors))
      ctx.addIssue({ code: 'custom', path: [field], message })
    if (Object.keys(errors).length > 0) return z.NEVER
    const { legalName, taken } =
      kindOfRfc(asked.rfc) === 'moral'
        ? withoutCapitalRegime(asked.legalName)
        : { legalName: asked.legalName, taken: null }
    const email = asked.email.toLowerCase()
    return { intent, version, data: { ...asked, legalName, email } as FiscalData, taken }
  })
export type FiscalForm = z.output<ReturnType<typeof fiscalInput>>

type Sent = Omit<Typed, 'intent' | 'version'>

/** For a generic RFC the SAT fixes nearly everything, whatever was typed. */
function withTerms(sent: Sent, issuer: { postalCode: string }): Sent {
  const terms = genericTerms(sent.rfc)
  if (!terms) return sent
  return {
    ...sent,
    regime: terms.regime,
    cfdiUse: terms.use,
    legalName: terms.legalName ?? sent.legalName,
    postalCode: issuer.postalCode || sent.postalCode,
  }
}

/** The errors by field, in the order of the form. */
function faultsOf({ rfc, legalName, regime, cfdiUse, postalCode, email }: Sent): Record<string, string> {
  const wrongRfc = faultOfRfc(rfc)
  const faults: [field: string, message: string | null | undefined][] = [
    ['rfc', wrongRfc],
    ['legalName', faultOfName(legalName)],
    ['regime', faultOfRegime(regime, wrongRfc ? null : rfc)],
    ['cfdiUse', faultOfUse(cfdiUse, regime, wrongRfc ? null : rfc)],
    ['postalCode', faultOfCode(postalCode)],
    ['email', requiredEmail.safeParse(email).error?.issues[0]?.message],
  ]
  return Object.fromEntries(faults.filter((fault): fault is [string, string] => Boolean(fault[1])))
}

function faultOfName(legalName: string): string | null {
  if (legalName === '') return 'Escribe el nombre como está en la Constancia.'
  if ([...legalName].length > longestLegalName) return `Usa como máximo ${longestLegalName} caracteres.`
  if (hasEmoji(legalName)) return withoutEmojis
  return legalName.includes('|') ? 'El SAT no acepta «|» en un nombre.' : null
}

const isRegime = (text: string): text is Regime => Object.hasOwn(regimes, text)
const isUse = (text: string): text is CfdiUse => Object.hasOwn(cfdiUses, text)

function faultOfRegime(regime: string, rfc: string | null): string | null {
  if (!isRegime(regime)) return 'Elige el régimen fiscal.'
  if (rfc === null || regimeFits(regime, kindOfRfc(rfc))) return null
  return `El régimen ${regime} no es de una ${taxpayerKinds[kindOfRfc(rfc)].toLowerCase()}, y ese RFC sí.`
}

function faultOfUse(use: string, regime: string, rfc: string | null): string | null {
  if (!isUse(use)) return 'Elige el uso de tus facturas.'
  if (!isRegime(regime)) return null
  const kinds = rfc === null ? regimes[regime].kinds : [kindOfRfc(rfc)]
  // A régimen that does not fit the kind of taxpayer is reported at its own field.
  const theirs = kinds.filter((kind) => regimeFits(regime, kind))
  if (theirs.length === 0 || theirs.some((kind) => cfdiUseFits(use, regime, kind))) return null
  return `El uso ${use} no es compatible con el régimen ${regime}`
}

/** The office's forms to review fiscal data, by their intent. */
export const fiscalReviewInput = {
  'verify-fiscal': z.object({ version: seenVersion }),
  'reject-fiscal': z.object({
    version: seenVersion,
    reason: requiredText('Escribe qué hay que corregir.', 500),
  }),
}
