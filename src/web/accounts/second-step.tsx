import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'

type SecondStepProps = { result: FormResult | undefined; next: string | null }

/** What /signin shows between the password and the session: a code of the authenticator, or one for recovery. */
export function SecondStep({ result, next }: SecondStepProps) {
  const sent = result?.values.intent
  const where = next && <input type="hidden" name="next" value={next} />
  return (
    <Card>
      <PageHeader
        title="Escribe tu código"
        subtitle="Abre tu aplicación de códigos y copia el que muestra para esta cuenta."
      />
      <Form result={sent === 'totp-code' ? result : undefined}>
        {where}
        <Field
          label="Código de 6 dígitos"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          enterKeyHint="go"
        />
        <Submit name="intent" value="totp-code">
          Entrar
        </Submit>
      </Form>
      <Details summary="No tengo mi teléfono" open={sent === 'recovery-code'}>
        <Form result={sent === 'recovery-code' ? result : undefined}>
          {where}
          <Field
            label="Código de recuperación"
            name="recoveryCode"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="go"
            help="Uno de los que guardaste al activar tu segundo factor. Cada uno sirve una vez."
          />
          <Submit name="intent" value="recovery-code" variant="ghost">
            Entrar con este código
          </Submit>
        </Form>
        <p className="mt-4 text-[0.9375rem] text-mute">
          ¿Tampoco tienes tus códigos? Pide a la gerencia que quite tu segundo factor.
        </p>
      </Details>
      <Form className="justify-items-center">
        <button
          type="submit"
          name="intent"
          value="start-over"
          className="min-h-11 text-[0.9375rem] text-mute underline underline-offset-4"
        >
          Entrar con otra cuenta
        </button>
      </Form>
    </Card>
  )
}
