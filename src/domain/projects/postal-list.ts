import { withoutAccents } from '../shared/collation.ts'
import { municipalities } from '../shared/regions.ts'
import type { Place } from './postal.ts'

/** A row of the postal service's list: one settlement of a postal code. */
export type PostalLine = { postalCode: string; colonia: string; municipality: string; state: string }

/** The columns of the official file that are of use, by its own names. */
const columns = { postalCode: 'd_codigo', colonia: 'd_asenta', municipality: 'D_mnpio', state: 'd_estado' }

/** The settlements of the official text file (columns parted by |, a notice before the header). Throws when it is another file. */
export function parsePostalList(text: string): PostalLine[] {
  const lines = text.split(/\r?\n/)
  const at = lines.findIndex((line) => line.split('|').includes(columns.postalCode))
  const header = lines[at]?.split('|') ?? []
  const index = (name: string) => header.indexOf(name)
  const [code, colonia, municipality, state] = [
    columns.postalCode,
    columns.colonia,
    columns.municipality,
    columns.state,
  ].map(index)
  if (code === undefined || [code, colonia, municipality, state].includes(-1))
    throw new Error('El archivo no es la lista de códigos postales: le faltan columnas.')
  return lines.slice(at + 1).flatMap((line) => {
    const cells = line.split('|')
    const read = (cell: number | undefined) => cells[cell ?? -1]?.trim() ?? ''
    const found = {
      postalCode: read(code),
      colonia: read(colonia),
      municipality: read(municipality),
      state: read(state),
    }
    return /^\d{5}$/.test(found.postalCode) && found.colonia ? [found] : []
  })
}

const groups: Readonly<Record<string, string>> = {
  'ciudad de mexico': 'cdmx',
  'distrito federal': 'cdmx',
  mexico: 'edomex',
  'estado de mexico': 'edomex',
}

/** The place of a row of the list, in our terms. */
export function placeOfLine({ municipality, state }: Pick<PostalLine, 'municipality' | 'state'>): Place {
  const group = groups[withoutAccents(state)]
  const name = withoutAccents(municipality)
  const served = municipalities.find((one) => one.group === group && withoutAccents(one.label) === name)
  if (served) return { area: 'served', municipality: served.slug }
  return { area: group === 'edomex' ? 'edomex' : 'elsewhere' }
}
