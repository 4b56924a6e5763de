import { chargedKinds, ivaLabels } from '../../domain/quotes/content.ts'
import { unitPrice } from '../../domain/shared/format.ts'

type Words = { label: string; words?: (value: unknown) => string }
const fields: Record<string, Words> = {
  description: { label: 'descripción' },
  kind: { label: 'tipo', words: (value) => chargedKinds[value as keyof typeof chargedKinds] },
  unit: { label: 'unidad' },
  unitPrice: { label: 'precio', words: (value) => unitPrice(Number(value)) },
  unitCost: { label: 'costo', words: (value) => (value === null ? '' : unitPrice(Number(value))) },
  iva: { label: 'IVA', words: (value) => ivaLabels[value as keyof typeof ivaLabels] },
  satProduct: { label: 'clave del SAT' },
  satUnit: { label: 'clave de unidad' },
  active: { label: 'en uso', words: (value) => (value ? 'sí' : 'no') },
}

/** How the history tells a change of an item: `field` is its code and what was changed of it. */
export function itemChange(field: string, value: unknown): { label: string; words: string } {
  const [code = '', name = ''] = field.split(' ')
  const { label, words = String } = fields[name] ?? { label: name }
  return { label: `${code}, ${label}`, words: words(value) || 'nada' }
}
