import { Form, Submit } from '../../kit/form/form.tsx'
import { cityAreas } from '../../projects/rules/address.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'

type OutOfAreaProps = {
  /** The code in question; null where it is the stored one. */
  postalCode: string | null
  /** Whether its customer asked for a notice already. */
  isAsked?: boolean
  /** Whether a call with an analyst is booked already. */
  hasCall?: boolean
  /** Where the code is corrected; a form that shows it beside needs no link. */
  fixAt?: string | null
  /** The form that asks for the notice, where it can't stand here, within another one. */
  form?: string
}

/** We do not get there yet: what a customer can do instead. */
export function OutOfArea({
  fixAt = null,
  form,
  hasCall = false,
  isAsked = false,
  postalCode,
}: OutOfAreaProps) {
  return (
    <Alert
      tone="wait"
      title={postalCode ? `Todavía no llegamos al ${postalCode}` : 'Todavía no llegamos a tu zona'}
      actions={
        <>
          {!isAsked && form && (
            <Button type="submit" form={form}>
              Avísame cuando lleguen
            </Button>
          )}
          {!isAsked && !form && (
            <Form intent="notice" action="/address" className="w-auto">
              <Submit>Avísame cuando lleguen</Submit>
            </Form>
          )}
          {fixAt && (
            <LinkButton to={fixAt} variant="ghost">
              Corregir mi código postal
            </LinkButton>
          )}
          {!hasCall && (
            <LinkButton to="/agenda-videocall" variant="ghost">
              Agendar asesoría
            </LinkButton>
          )}
        </>
      }
    >
      {isAsked ? 'Te escribimos por correo cuando lleguemos. ' : `Hoy visitamos ${cityAreas}. `}
      {!hasCall && 'Mientras tanto, un analista puede resolver tus dudas por video.'}
    </Alert>
  )
}
