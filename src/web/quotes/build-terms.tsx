import type { TypedQuote } from '../../domain/quotes/draft.ts'
import { Card } from '../ui/card.tsx'
import { Field, TextArea } from '../ui/field.tsx'

/** What holds for every option of a quote. */
export function BuildTerms({ typed, isExtra }: { typed: TypedQuote; isExtra: boolean }) {
  return (
    <Card title="Condiciones">
      <div className="grid gap-5 sm:grid-cols-3">
        {isExtra ? (
          <input type="hidden" name="depositPercent" value="0" />
        ) : (
          <Field
            label="Anticipo, en por ciento"
            name="depositPercent"
            inputMode="numeric"
            autoComplete="off"
            defaultValue={typed.depositPercent}
          />
        )}
        <Field
          label="Vigente hasta"
          name="validUntil"
          type="date"
          defaultValue={typed.validUntil}
          help="Todo ese día, hora de la Ciudad de México."
        />
        <Field
          label="Garantía, en meses"
          name="warrantyMonths"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={typed.warrantyMonths}
        />
      </div>
      <TextArea label="Qué no incluye" name="exclusions" optional defaultValue={typed.exclusions} />
      <TextArea label="Qué se devuelve si cancela" name="refundTerms" defaultValue={typed.refundTerms} />
      <TextArea
        label="Notas para el cliente"
        name="notes"
        optional
        defaultValue={typed.notes}
        help="Las lee junto a las opciones."
      />
    </Card>
  )
}
