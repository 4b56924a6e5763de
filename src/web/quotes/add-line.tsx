import { useRef } from 'react'
import { type CatalogueItem, chargedKinds } from '../../domain/quotes/content.ts'
import { editValue, type ListName, optionField } from '../../domain/quotes/draft.ts'
import { unitPrice } from '../../domain/shared/format.ts'
import { OptionList } from '../ui/select.tsx'
import { Press } from './press.tsx'
import type { Build } from './use-build.ts'

type AddLineProps = { build: Build; catalogue: readonly CatalogueItem[]; nth: number; name: string }

/** Puts one more line into an option: from the catalogue, blank, or a discount. */
export function AddLine({ build, catalogue, nth, name }: AddLineProps) {
  const list = useRef<HTMLDivElement>(null)
  const add = (into: ListName) => {
    const what = list.current?.querySelector('select')?.value ?? ''
    build.change({ name: 'add', option: nth, list: into, what })
  }
  const button = (into: ListName, label: string) => (
    <Press
      value={editValue({ name: 'add', option: nth, list: into, what: '' })}
      onPress={() => add(into)}
      className="flex-1 px-2 text-[0.9375rem] whitespace-nowrap"
    >
      {label}
    </Press>
  )
  return (
    <div ref={list} className="grid gap-2 border-t border-line pt-4">
      <OptionList
        aria-label={`Qué agregar a ${name}`}
        name={optionField(nth, 'add')}
        defaultValue=""
        data-part="add"
      >
        <option value="">Partida en blanco</option>
        <option value="discount">Descuento</option>
        {Object.entries(chargedKinds).map(([kind, label]) => (
          <optgroup key={kind} label={label}>
            {catalogue
              .filter((item) => item.kind === kind)
              .map((item) => (
                <option key={item.code} value={item.code}>
                  {item.description} ({unitPrice(item.unitPrice)})
                </option>
              ))}
          </optgroup>
        ))}
      </OptionList>
      <div className="flex flex-wrap gap-2">
        {button('lines', 'Agregar')}
        {button('addOns', 'Como adicional')}
      </div>
    </div>
  )
}
