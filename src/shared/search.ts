import { tidy, withoutAccents, withoutTail } from './text.ts'

// Apart from the rules of forms: a screen that only reads a phone or a search does not load the validator.

// Country code with its exit and mobile prefixes, or the long-distance prefixes retired in 2019.
const mexican = /^(?:(?:00)?521?|044|045|01)?([2-9]\d{9})$/

/** The ten digits of a Mexican phone however it was typed (spaces, +52, 044 …), or null when it is not one. */
export const normalisePhone = (typed: string) => mexican.exec(typed.replace(/\D/g, ''))?.[1] ?? null

const onlyPhoneSigns = /^[\d\s()+.-]+$/
const countryCode = /^\s*(?:\+|00)\s*52\s*1?/
/** Longer than a postal code: a code of Coyoacán begins with 04 too. */
const trunkCode = /^(?:044|045)(?=\d{3})/

/** What is known of a phone that is typed in part, without what stands before its ten digits. */
function phoneDigits(typed: string): string {
  const digits = typed.replace(countryCode, '').replace(/\D/g, '')
  return (digits.length > 5 ? digits.replace(trunkCode, '') : digits).slice(-10)
}

const mostWords = 8
/** A phone may be typed digit by digit. */
const mostPieces = 40

/** As lists show one of the running year. */
const withoutYear = /^([a-z]{2,3}-)(\d{5,})$/i

/**
 * The words of a search; each must be found in the row. A phone is one word however its digits are grouped, and
 * without the codes that a caller ID shows before it; a folio without its year is two.
 */
export function searchWords(text = ''): string[] {
  if (onlyPhoneSigns.test(text)) return [normalisePhone(text) ?? phoneDigits(text)].filter(Boolean)
  return phonesJoined(text.split(/\s+/).filter(Boolean).slice(0, mostPieces))
    .flatMap((word) => withoutYear.exec(word)?.slice(1) ?? word)
    .slice(0, mostWords)
}

/** Words with each phone among them as its ten digits: "Ana +52 55 1234 5678" are two. */
function phonesJoined(words: readonly string[]): string[] {
  const joined: string[] = []
  for (let at = 0; at < words.length; ) {
    let end = at
    while (end < words.length && onlyPhoneSigns.test(words[end]!)) end++
    const phone = normalisePhone(words.slice(at, end).join(''))
    const next = phone ? end : at + 1
    joined.push(...(phone ? [phone] : words.slice(at, next)))
    at = next
  }
  return joined
}

/** The kinds of folios: appointments of three services, quotes, payments, refunds, and cases with CFE. */
const folioPrefixes = ['VT', 'IN', 'AV', 'COT', 'PAG', 'REE', 'GES'] as const

/** What a search of the whole office looks for. */
export type Search = {
  /** As typed, without needless space. */
  text: string
  /** For names and addresses; empty where they would name nearly everybody. */
  words: readonly string[]
  /** The ten digits of a complete phone. */
  phone: string | null
  /** Every folio that the text may mean, the likeliest first. */
  folios: readonly string[]
  /** A bank's tracking key, or another number of a paper, in capitals. */
  key: string | null
  /** What may be a dealership's code, in capitals. */
  code: string | null
}

const longestSearch = 100
/** Of a folio without its year: the running year and those before. */
const yearsBack = 2

/** Reads what a person typed into the search of the whole office, in a year. */
export function readSearch(typed: unknown, year: number): Search {
  const text = tidy(typed).slice(0, longestSearch).trim()
  const phone = onlyPhoneSigns.test(text) ? normalisePhone(text) : null
  const packed = text.replace(/[\s-]/g, '').toUpperCase()
  return {
    text,
    words: tellingWords(text),
    phone,
    folios: foliosOf(text, year),
    key: /^(?=.*\d)[A-Z0-9]{6,36}$/.test(packed) ? packed : null,
    code: /^[A-Z2-9]{6,12}$/.test(packed) ? packed : null,
  }
}

/** Words that say nothing of whom they belong to. */
const fillers = new Set(['calle', 'col', 'colonia', 'cp', 'numero', 'num', 'no', 'los', 'las', 'del'])
const isTelling = (word: string) => (/^\d+$/.test(word) ? word.length >= 4 : word.length >= 3)

function tellingWords(text: string): string[] {
  const words = searchWords(text.replace(/[,;#]/g, ' ')).map((word) => withoutTail(word, '.'))
  const some = words.filter((word) => word.length > 1 && !fillers.has(withoutAccents(word)))
  // "Londres 24" is narrow enough, "24" is not.
  return some.some(isTelling) ? some.filter((word) => isTelling(word) || /\d/.test(word)) : []
}

const folio = /^(?:(vt|in|av|cot|pag|ree|ges)[\s-]*)?(?:(20\d\d)[\s-]+|(20\d\d)(?=\d{5,}$))?#?(\d{1,8})$/i

/** One that another program made. */
const anyFolio = /^(?:vt|in|av|cot|pag|ree|ges)-[\w-]{3,}$/i

function foliosOf(text: string, year: number): string[] {
  const [, prefix, apart, joined, digits] = folio.exec(text) ?? []
  if (!digits) return anyFolio.test(text) ? [...new Set([text.toUpperCase(), text])] : []
  if (Number(digits) === 0) return []
  const prefixes = prefix ? [prefix.toUpperCase()] : folioPrefixes
  const written = apart ?? joined
  const years = written ? [written] : Array.from({ length: yearsBack + 1 }, (_, back) => year - back)
  const numbers = new Set([digits.padStart(5, '0'), String(Number(digits)).padStart(5, '0')])
  return years.flatMap((of) => prefixes.flatMap((kind) => [...numbers].map((n) => `${kind}-${of}-${n}`)))
}

/** What is known of something that a search found. */
export type Findable = {
  folio?: string
  /** Tracking key, CFE's numbers, the SAT's id: whole only. */
  keys?: readonly (string | null)[]
  name?: string | null
  phone?: string | null
  email?: string | null
}

/** How surely a search means what it found, from 0 to 100: the order of its results. */
export function scoreOf(search: Search, { folio: own, keys = [], name, phone, email }: Findable): number {
  const { folios, key } = search
  const text = withoutAccents(search.text)
  const called = withoutAccents(name ?? '')
  const place = own ? folios.indexOf(own) : -1
  const scores = [
    key && keys.some((one) => one?.toUpperCase().replaceAll('-', '') === key) ? 100 : 0,
    place >= 0 ? (folios.length <= 2 ? 100 : 70 - place) : 0,
    search.phone && search.phone === phone ? 98 : 0,
    email && email === text ? 98 : 0,
    phone && text.length >= 4 && phone.endsWith(text.replace(/\D/g, '') || '-') ? 72 : 0,
    nameScore(text, called),
    email?.startsWith(text) ? 60 : 0,
  ]
  return Math.max(...scores, 30)
}

/** From the whole name, over its beginning, to words of it in any order. */
export function nameScore(text: string, name: string): number {
  if (!text || !name) return 0
  if (name === text) return 95
  if (name.startsWith(`${text} `)) return 85
  if (name.startsWith(text)) return 80
  const parts = name.split(/[\s/]+/)
  const words = text.split(/\s+/)
  return words.every((word) => parts.some((part) => part.startsWith(word))) ? 66 : 0
}
