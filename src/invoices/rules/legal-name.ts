import { tidy, withoutTail } from '../../shared/text.ts'

/** The régimenes de capital that a deed adds to a company's name, and the SAT leaves out. */
const capitalRegimes = [
  'SOCIEDAD ANONIMA PROMOTORA DE INVERSION DE CAPITAL VARIABLE',
  'SOCIEDAD ANONIMA PROMOTORA DE INVERSION',
  'SOCIEDAD ANONIMA BURSATIL DE CAPITAL VARIABLE',
  'SOCIEDAD ANONIMA DE CAPITAL VARIABLE',
  'SOCIEDAD ANONIMA',
  'SOCIEDAD DE RESPONSABILIDAD LIMITADA DE CAPITAL VARIABLE',
  'SOCIEDAD DE RESPONSABILIDAD LIMITADA',
  'SOCIEDAD POR ACCIONES SIMPLIFICADA DE CAPITAL VARIABLE',
  'SOCIEDAD POR ACCIONES SIMPLIFICADA',
  'SOCIEDAD DE PRODUCCION RURAL DE RL DE CV',
  'SOCIEDAD DE PRODUCCION RURAL DE RL',
  'SOCIEDAD DE PRODUCCION RURAL DE RI',
  'SOCIEDAD DE PRODUCCION RURAL DE RS',
  'SOCIEDAD DE PRODUCCION RURAL DE RESPONSABILIDAD LIMITADA DE CAPITAL VARIABLE',
  'SOCIEDAD DE PRODUCCION RURAL DE RESPONSABILIDAD LIMITADA',
  'SOCIEDAD DE PRODUCCION RURAL DE RESPONSABILIDAD ILIMITADA',
  'SOCIEDAD DE PRODUCCION RURAL DE RESPONSABILIDAD SUPLEMENTADA',
  'SOCIEDAD FINANCIERA DE OBJETO MULTIPLE ENTIDAD NO REGULADA',
  'SOCIEDAD FINANCIERA DE OBJETO MULTIPLE ENTIDAD REGULADA',
  'SOCIEDAD FINANCIERA DE OBJETO MULTIPLE ENR',
  'SOCIEDAD FINANCIERA DE OBJETO MULTIPLE ER',
  'SOCIEDAD FINANCIERA DE OBJETO MULTIPLE',
  'SOCIEDAD COOPERATIVA DE RESPONSABILIDAD LIMITADA DE CAPITAL VARIABLE',
  'SOCIEDAD COOPERATIVA DE RESPONSABILIDAD LIMITADA',
  'SOCIEDAD COOPERATIVA DE RL DE CV',
  'SOCIEDAD COOPERATIVA DE RL',
  'SOCIEDAD NACIONAL DE CREDITO',
  'SOCIEDAD EN NOMBRE COLECTIVO',
  'SOCIEDAD EN COMANDITA SIMPLE',
  'SOCIEDAD EN COMANDITA POR ACCIONES',
  'SOCIEDAD CIVIL',
  'ASOCIACION CIVIL',
  'ASOCIACION DE BENEFICENCIA PRIVADA',
  'INSTITUCION DE ASISTENCIA PRIVADA',
  'INSTITUCION DE BENEFICENCIA PRIVADA',
  'SAPI DE CV',
  'SAPI',
  'SAPIB DE CV',
  'SAPIB',
  'SAB DE CV',
  'SAB',
  'SAS DE CV',
  'SAS',
  'SA DE CV',
  'SA',
  'SPR DE RL DE CV',
  'SPR DE RL',
  'SPR DE RI',
  'SPR DE RS',
  'SC DE RL DE CV',
  'SC DE RL',
  'SC DE RS',
  'SC DE P DE RL DE CV',
  'SC DE P DE RL',
  'SC DE C DE RL DE CV',
  'SC DE C DE RL',
  'S DE RL DE IP DE CV',
  'S DE RL DE IP',
  'S DE RL MI DE CV',
  'S DE RL MI',
  'S DE RL DE CV',
  'S DE RL',
  'S EN C POR A DE CV',
  'S EN C POR A',
  'S EN C DE CV',
  'S EN C',
  'S EN NC DE CV',
  'S EN NC',
  'SNC',
  'SCS',
  'SCL',
  'SC',
  'AC',
  'ABP',
  'IAP',
  'IBP',
  'SOFOM ENR',
  'SOFOM ER',
  'SOFOM',
] as const

/** The initials may have spaces or points: S.A. DE C.V., S A DE C V. */
const written = (regime: string) =>
  regime
    .split(' ')
    .map((word) =>
      word.length > 5 || joints.has(word) ? word : [...word].map((letter) => `${letter}\\.?`).join(' ?'),
    )
    .join(',? ?')
const joints = new Set(['DE', 'EN', 'POR'])
/** In characters: no name is longer, and each removed régimen costs another search. */
const longest = 600
const ending = new RegExp(`[ ,](${capitalRegimes.map(written).join('|')})$`)

/** Replaces accented vowels one by one, so that positions stay the same. */
const unaccented = (text: string) => text.replace(/[ÁÉÍÓÚ]/g, (letter) => 'AEIOU'['ÁÉÍÓÚ'.indexOf(letter)]!)

/** A name as the Constancia writes it: upper case, single spaces, straight quotes. */
export const legalNameOf = (typed: unknown) =>
  tidy(typed)
    .replace(/[“”„‟]/g, '"')
    .replace(/[‘’‚‛]/g, "'")
    .toUpperCase()

/** A moral person's name without its régimen de capital, and the removed part as typed; null where there is none. */
export function withoutCapitalRegime(legalName: string): { legalName: string; taken: string | null } {
  const found = legalName.length > longest ? null : ending.exec(unaccented(legalName))
  if (!found) return { legalName, taken: null }
  const rest = withoutTail(legalName.slice(0, found.index), ' ,')
  const taken = legalName.slice(found.index).replace(/^[ ,]+/, '')
  if (rest === '') return { legalName, taken: null }
  const more = withoutCapitalRegime(rest)
  return { legalName: more.legalName, taken: more.taken ? `${more.taken} ${taken}` : taken }
}

/** The message about a part of the name that was removed. */
export const takenOff = (taken: string) => `El SAT pide el nombre sin ${taken}`
