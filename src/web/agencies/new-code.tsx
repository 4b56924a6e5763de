import { benefitLabels } from '../../domain/agencies/agency.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
import { useAnswered } from '../ui/use-answered.ts'

type NewCodeProps = {
  /** A text that nobody has yet. */
  suggestion: string
  /** As 2026-11-22. */
  today: string
  /** What the agency may give without asking, in words; null where that is nothing. */
  limit: string | null
  result: FormResult | undefined
}

/** Asks what a new code gives, to how many and until when. */
export const NewCode = ({ suggestion, today, limit, result }: NewCodeProps) => (
  <Dialog
    key={useAnswered(result)}
    trigger="Nuevo código"
    variant="primary"
    title="Nuevo código"
    description="Quien lo use queda como cliente de tu concesionaria, y recibe lo que el código dé."
    defaultOpen={result !== undefined}
  >
    <Form result={result}>
      <Field
        label="Código"
        name="codeText"
        defaultValue={suggestion}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={20}
        help="De 6 a 12 letras y números, sin I, O, 0 ni 1. Puedes cambiar el que proponemos."
        className="[&_input]:font-mono [&_input]:uppercase"
      />
      <Field
        label="Para qué es"
        name="label"
        optional
        maxLength={80}
        placeholder="Mostrador, redes, feria…"
      />
      <Select
        label="Qué da"
        name="benefitKind"
        options={Object.entries(benefitLabels).map(([value, label]) => ({ value, label }))}
        defaultValue="none"
        help={
          limit
            ? `Tu concesionaria puede dar: ${limit}. Otra cosa la aprueba la gerencia.`
            : 'Si da algo, lo aprueba la gerencia antes de que sirva.'
        }
      />
      <Field
        label="Cuánto"
        name="benefitValue"
        optional="unsaid"
        inputMode="decimal"
        autoComplete="off"
        help="Si da un descuento: 10 para 10 %, 1,000 para $1,000 antes de IVA. Si no, déjalo vacío."
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Sirve desde" name="startsOn" type="date" defaultValue={today} min={today} />
        <Field label="Último día" name="endsOn" type="date" optional min={today} />
      </div>
      <Field
        label="Cuántas personas lo pueden usar"
        name="maxUses"
        inputMode="numeric"
        autoComplete="off"
        defaultValue="100"
      />
      <div className="flex flex-wrap gap-3">
        <Submit name="intent" value="codes.create" className="flex-1">
          Crear y activar
        </Submit>
        <Submit name="intent" value="codes.draft" variant="ghost" className="flex-1">
          Guardar sin activar
        </Submit>
      </div>
    </Form>
  </Dialog>
)
