import { bySpanish, tidy } from '../../shared/text.ts'

const weights = [3, 7, 1] as const

/** Whether 18 digits are a CLABE: its last digit is a check digit (weights 3-7-1, Banco de México). */
export function isClabe(digits: string): boolean {
  if (!/^\d{18}$/.test(digits)) return false
  const sum = [...digits.slice(0, 17)].reduce(
    (all, digit, n) => all + ((Number(digit) * weights[n % 3]!) % 10),
    0,
  )
  return (10 - (sum % 10)) % 10 === Number(digits[17])
}

/** A CLABE without the spaces and hyphens that people type. */
export const clabeDigits = (typed: string) => typed.replace(/[\s-]/g, '')

/** "012 180 00123456789 1": bank, place, account and check digit apart, as banks print it. */
export const clabeInParts = (clabe: string) => clabe.replace(/^(\d{3})(\d{3})(\d{11})(\d)$/, '$1 $2 $3 $4')

/** Banks that take part in SPEI and that customers name, by the first three digits of their CLABE numbers. */
export const bankLabels = {
  '002': 'Banamex',
  '012': 'BBVA México',
  '014': 'Santander',
  '021': 'HSBC',
  '030': 'BanBajío',
  '036': 'Inbursa',
  '042': 'Mifel',
  '044': 'Scotiabank',
  '058': 'Banregio',
  '059': 'Invex',
  '062': 'Afirme',
  '072': 'Banorte',
  '113': 'Ve por Más',
  '127': 'Banco Azteca',
  '130': 'Compartamos',
  '132': 'Multiva',
  '137': 'BanCoppel',
  '138': 'Ualá',
  '140': 'Consubanco',
  '145': 'Bbase',
  '147': 'Bankaool',
  '156': 'Sabadell',
  '166': 'Banco del Bienestar',
  '167': 'Hey Banco',
  '638': 'Nu México',
  '646': 'STP',
  '661': 'Klar',
  '699': 'Fondeadora',
  '722': 'Mercado Pago',
  '728': 'Spin by OXXO',
  other: 'Otro banco',
} as const
export type BankCode = keyof typeof bankLabels

/** The name of a bank code; an unknown code or a name is returned unchanged. */
export const bankName = (bank: string): string =>
  Object.hasOwn(bankLabels, bank) ? bankLabels[bank as BankCode] : bank

/** Names that rows of before the catalogue have, beside its own. */
const formerNames: ReadonlyMap<string, BankCode> = new Map(
  Object.entries<BankCode>({
    bbva: '012',
    'bbva bancomer': '012',
    bancomer: '012',
    citibanamex: '002',
    bansi: 'other',
    nu: '638',
    uala: '138',
    oxxo: '728',
    spin: '728',
    azteca: '127',
  }),
)

/** The code of a bank that a row names by its code or in words; a name of no bank we know is returned in small letters. */
export function bankCode(bank: string): string {
  if (Object.hasOwn(bankLabels, bank)) return bank
  const name = plainName(bank)
  const known = Object.entries(bankLabels).find(([, label]) => plainName(label) === name)
  return known?.[0] ?? formerNames.get(name) ?? name
}

const plainName = (name: string) => wordsOf(name).join(' ')

/** The banks that most transfers come from. */
const common = new Set<BankCode>(['002', '012', '014', '021', '044', '072', '127', '638', '722'])

/** By name, "Otro banco" last: an object puts keys like 113 before those like 002. */
const byName = (Object.keys(bankLabels) as BankCode[]).sort(
  (a, b) => Number(a === 'other') - Number(b === 'other') || bySpanish(bankLabels[a], bankLabels[b]),
)

/** The banks to choose from, the common ones first. */
export const bankGroups: readonly { label: string; codes: readonly BankCode[] }[] = [
  { label: 'Los más usados', codes: byName.filter((code) => common.has(code)) },
  { label: 'Los demás', codes: byName.filter((code) => !common.has(code)) },
]

/** Words of a name, without accents and case. */
const wordsOf = (name: string) =>
  tidy(name)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1)

/**
 * Whether an account probably belongs to this person, by name: one name contains the other, in any order and with or
 * without second names. It is a hint for the reviewer and decides nothing.
 */
export function mayBeOf(beneficiary: string, person: string): boolean {
  const one = new Set(wordsOf(beneficiary))
  const other = new Set(wordsOf(person))
  const shared = one.intersection(other).size
  return shared >= Math.min(2, other.size) && shared === Math.min(one.size, other.size)
}
