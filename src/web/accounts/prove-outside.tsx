import { Link } from 'react-router'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
import { Form, FormDetails, useFormResult } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import { AcceptTerms, type TermsUrls } from './accept-terms.tsx'

type ProveOutsideProps = {
  oobCode: string
  email: string
  hasPassword: boolean
  terms: TermsUrls
}

/** For whoever opened the letter without a session of the account: it may be somebody else's who wrote down this mailbox. */
export function ProveOutside({ oobCode, email, hasPassword, terms }: ProveOutsideProps) {
  const hidden = <input type="hidden" name="oobCode" value={oobCode} />
  const isChoosing = useFormResult('prove-by-new') !== undefined
  const letter = `/recover-password?mode=verifyEmail&oobCode=${oobCode}`
  const choose = (
    <ChooseNew email={email} terms={terms}>
      {hidden}
    </ChooseNew>
  )
  return (
    <Card>
      <PageHeader title="Confirma tu correo" subtitle={`Hay una cuenta nueva con ${email}.`} />
      {hasPassword ? (
        <>
          <Form intent="prove-by-password">
            {hidden}
            <input type="email" autoComplete="username" value={email} readOnly hidden />
            <Field
              label="Tu contraseña"
              name="password"
              type="password"
              autoComplete="current-password"
              enterKeyHint="go"
              help="La que elegiste al crear tu cuenta."
            />
            <Submit>Confirmar mi correo</Submit>
          </Form>
          <Details summary="No la recuerdo" open={isChoosing}>
            {choose}
          </Details>
        </>
      ) : (
        <>
          <p>
            ¿Entras con otro servicio?{' '}
            <Link to={`/signin?next=${encodeURIComponent(letter)}`}>Inicia sesión</Link> y confirma desde ahí.
            Si no, elige una contraseña.
          </p>
          {choose}
        </>
      )}
      <FormDetails
        summary="No fui yo"
        intent="disown"
        intro={<p>Si no creaste esta cuenta, la borramos con todo lo que tenga y tu correo queda libre.</p>}
      >
        {hidden}
        <Submit variant="destructive">Borrar esa cuenta</Submit>
      </FormDetails>
    </Card>
  )
}

type ChooseNewProps = Pick<ProveOutsideProps, 'email' | 'terms'> & { children: React.ReactNode }

function ChooseNew({ email, terms, children }: ChooseNewProps) {
  return (
    <Form intent="prove-by-new">
      {children}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Field
        label="Contraseña nueva"
        name="password"
        type="password"
        autoComplete="new-password"
        enterKeyHint="go"
        help="Al menos 8 caracteres. Cerraremos las sesiones abiertas."
      />
      <Submit variant="ghost">Guardar y confirmar</Submit>
      <AcceptTerms when="guardar tu contraseña" {...terms} />
    </Form>
  )
}
