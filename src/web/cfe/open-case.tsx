import { caseKindLabels } from '../../domain/cfe/case.ts'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'

/** Opens a case that no rule opened. */
export const OpenCase = ({ result }: { result: FormResult | undefined }) => (
  <Details summary="Abrir un trámite" open={result !== undefined}>
    <p className="text-[0.9375rem] text-mute">
      Los que pide una cotización aceptada se abren solos. Aquí abres los demás, como un cambio de nombre.
    </p>
    <Form result={result}>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Folio de la cotización o de la visita"
          name="folio"
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={20}
          help="COT-2026-00012 o VT-2026-00012."
        />
        <Select
          label="¿Qué se pide a CFE?"
          name="kind"
          placeholder="Elige"
          options={Object.entries(caseKindLabels).map(([value, label]) => ({ value, label }))}
        />
      </div>
      <Submit name="intent" value="cases.open" className="justify-self-start max-sm:w-full">
        Abrir trámite
      </Submit>
    </Form>
  </Details>
)
