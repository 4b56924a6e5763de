import { Form as SearchForm } from 'react-router'
import type { MunicipalitySlug } from '../../domain/shared/places.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Zones } from './board-filters.tsx'

type PlanChoiceProps = { date: string; zones: MunicipalitySlug[] }

/** Which day and which zones, kept in the address. */
export function PlanChoice({ date, zones }: PlanChoiceProps) {
  return (
    <SearchForm
      key={`${date} ${zones}`}
      method="get"
      className="grid grid-cols-1 items-end gap-3 sm:grid-cols-2 lg:grid-cols-[11rem_14rem_auto_1fr]"
    >
      <Field label="Día" name="dia" type="date" optional="unsaid" defaultValue={date} className="min-w-0" />
      <Zones chosen={zones} />
      <Button type="submit" variant="ghost" className="sm:max-lg:col-span-2">
        Mostrar
      </Button>
    </SearchForm>
  )
}
