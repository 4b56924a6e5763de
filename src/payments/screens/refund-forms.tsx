import { OwnPassword } from '../../accounts/screens/password-card.tsx'
import { TextArea } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { money } from '../../shared/format.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card, Details } from '../../ui/card.tsx'
import { AccountFields } from './account-table.tsx'
import type { OwnRefund } from './forms.ts'

type AccountFormProps = { refund: OwnRefund; hasPassword: boolean }

/** Enters, or corrects, where a refund goes. */
export function AccountForm({ refund, hasPassword }: AccountFormProps) {
  const which = { intent: 'refund-account', target: { refundId: refund.id } }
  const result = useFormResult(which.intent, which.target)
  return (
    <Details
      summary={refund.clabe ? 'Cambiar la cuenta' : 'Dar mi cuenta'}
      open={result !== undefined || refund.clabe === null}
    >
      {hasPassword ? (
        <Form {...which}>
          <input type="hidden" name="version" value={refund.version} />
          <AccountFields clabe={refund.clabe} beneficiary={refund.beneficiary} />
          <OwnPassword />
          <Submit>Guardar cuenta</Submit>
        </Form>
      ) : (
        <PasswordFirst />
      )}
    </Details>
  )
}

/**
 * A customer who came by a provider sets a password by e-mail: it proves that the mailbox's owner gives the account.
 */
const PasswordFirst = () => (
  <>
    <p>Para cuidar tu dinero te pedimos tu contraseña, y todavía no tienes. Créala primero en «Mi cuenta».</p>
    <LinkButton to="/cuenta#contrasena" variant="ghost" className="justify-self-start">
      Crear mi contraseña
    </LinkButton>
  </>
)

type AskRefundProps = {
  projectId: string
  credit: number
  hasPassword: boolean
}

/** Requests the refund of what was paid too much. */
export const AskRefund = ({ credit, hasPassword, projectId }: AskRefundProps) => (
  <Card title={`Tienes ${money(credit)} a tu favor`}>
    <Details summary="Pedir que me lo devuelvan" open={useFormResult('ask-refund') !== undefined}>
      {hasPassword ? (
        <Form intent="ask-refund">
          <input type="hidden" name="projectId" value={projectId} />
          <TextArea label="¿Por qué lo pides?" name="reason" maxLength={500} />
          <AccountFields clabe={null} beneficiary={null} />
          <OwnPassword />
          <Submit>Pedir reembolso</Submit>
        </Form>
      ) : (
        <PasswordFirst />
      )}
    </Details>
  </Card>
)
