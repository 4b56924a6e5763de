import { time } from '../../domain/shared/format.ts'
import type { Failure } from '../lib/submit.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

/** Marks the address of the form that carries a photo beside its words: the sheet's own forms carry photos too. */
export const noShowMark = 'ausente'

/** The photo of the façade: whether it has to be there, and when the one that is kept already was taken. */
export type FacadeWish = { isAsked: boolean; takenAt: Date | null }

type NoShowFormProps = { facade: FacadeWish | null; result: Failure | undefined }

/** Says that the customer isn't there, after a call that nobody answered; of a visit with a photo of the façade. */
export function NoShowForm({ facade, result }: NoShowFormProps) {
  const carried = facade && ({ action: `?${noShowMark}`, encType: 'multipart/form-data' } as const)
  return (
    <Form result={result} {...carried}>
      <input type="hidden" name="move" value="noShow" />
      {facade && <FacadeField {...facade} />}
      <Checkbox label="Intenté llamarle y no contestó" name="called" value="yes" />
      <Field label="¿A qué hora llamaste?" name="calledAt" type="time" />
      <TextArea label="Nota" name="note" optional maxLength={500} help="El cliente también la lee." />
      <Submit variant="destructive">El cliente no se presentó</Submit>
    </Form>
  )
}

const FacadeField = ({ isAsked, takenAt }: FacadeWish) => (
  <Field
    label="Foto de la fachada"
    name="photo"
    type="file"
    accept="image/*"
    optional={!isAsked || takenAt !== null}
    help={
      takenAt
        ? `Ya está la de las ${time(takenAt)}; elige otra solo para cambiarla.`
        : 'Que se vean la entrada y el número de la casa.'
    }
  />
)
