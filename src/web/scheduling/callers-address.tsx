import { HomeFields } from '../projects/home-fields.tsx'
import { PlaceFields } from '../projects/place-fields.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { forCaller } from './new-appointment-path.ts'
import type { CallersBooking } from './new-appointment-server.ts'

const folded = ['regionGroup', 'municipality', 'state']

type CallersAddressProps = { booking: CallersBooking; result: FormResult | undefined }

/** The address of a customer who calls and has given none yet. */
export function CallersAddress({ booking: { id, service }, result }: CallersAddressProps) {
  return (
    <Form result={result}>
      <input type="hidden" name="intent" value="give-address" />
      <input type="hidden" name="customerId" value={id} />
      <input type="hidden" name="service" value={service} />
      <PlaceFields
        address={null}
        colonias={[]}
        isWrong={folded.some((name) => result?.errors[name] !== undefined)}
        lookup={(codigo) => forCaller(id, service, { codigo })}
      />
      <HomeFields address={null} />
      <TextArea label="Referencias" name="references" optional maxLength={300} />
      <Submit>Guardar domicilio</Submit>
    </Form>
  )
}
