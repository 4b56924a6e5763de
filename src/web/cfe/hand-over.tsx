import { counted } from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { Details } from '../ui/details.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'

type Handler = { id: string; name: string; open: number }

type HandOverProps = {
  /** Who has cases and handles none any more. */
  stranded: readonly Handler[]
  gesters: readonly Handler[]
  result: FormResult | undefined
}

const cases = ({ open }: Handler) => counted(open, 'trámite', 'trámites')
const choices = (handlers: readonly Handler[]) =>
  handlers.map((one) => ({ value: one.id, label: `${one.name} (${cases(one)})` }))

/** The manager hands all cases of one gester to another; it stands open while somebody who left has any. */
export const HandOver = ({ stranded, gesters, result }: HandOverProps) => (
  <>
    {stranded.map((one) => (
      <Alert key={one.id} tone="bad" title={`${one.name} ya no lleva trámites y tiene ${cases(one)}`}>
        {gesters.length === 0
          ? 'Invita a un gestor en Usuarios para pasárselos.'
          : 'Pásalos a otra persona aquí abajo.'}
      </Alert>
    ))}
    <Details
      summary="Pasar los trámites de un gestor a otro"
      open={result !== undefined || stranded.length > 0}
    >
      <Form result={result}>
        <div className="grid gap-5 sm:grid-cols-2">
          <Select
            label="De"
            name="from"
            placeholder="Elige"
            options={choices([...stranded, ...gesters.filter(({ open }) => open > 0)])}
            defaultValue={stranded[0]?.id}
          />
          <Select label="A" name="to" placeholder="Elige" options={choices(gesters)} />
        </div>
        <Submit
          name="intent"
          value="cases.hand-over"
          variant="ghost"
          className="justify-self-start max-sm:w-full"
        >
          Pasar trámites
        </Submit>
      </Form>
    </Details>
  </>
)
