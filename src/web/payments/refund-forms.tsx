import { money } from '../../domain/shared/format.ts'
import { OwnPassword } from '../accounts/password-card.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import type { OwnRefund } from './own-account.ts'

type Account = { clabe: string | null; beneficiary: string | null }

/** The account that money goes back to. */
export const AccountFields = ({ clabe, beneficiary, optional }: Account & { optional?: boolean }) => (
  <>
    <Field
      label="CLABE"
      name="clabe"
      help="18 dígitos. Está en la app de tu banco."
      inputMode="numeric"
      autoComplete="off"
      maxLength={30}
      optional={optional}
      defaultValue={clabe ?? ''}
    />
    <Field
      label="A nombre de"
      name="beneficiary"
      autoComplete="name"
      maxLength={120}
      optional={optional}
      defaultValue={beneficiary ?? ''}
    />
  </>
)

type AccountFormProps = { refund: OwnRefund; hasPassword: boolean; result: FormResult | undefined }

/** Says, or puts right, where a refund goes. */
export const AccountForm = ({ refund, hasPassword, result }: AccountFormProps) => (
  <Details
    summary={refund.clabe ? 'Cambiar la cuenta' : 'Dar mi cuenta'}
    open={result !== undefined || refund.clabe === null}
  >
    {hasPassword ? (
      <Form result={result}>
        <input type="hidden" name="refundId" value={refund.id} />
        <input type="hidden" name="version" value={refund.version} />
        <AccountFields clabe={refund.clabe} beneficiary={refund.beneficiary} />
        <OwnPassword />
        <Submit name="intent" value="refund-account">
          Guardar cuenta
        </Submit>
      </Form>
    ) : (
      <PasswordFirst />
    )}
  </Details>
)

/** Who came by a provider chooses one by letter: it shows that the account is given by whoever reads the mailbox. */
const PasswordFirst = () => (
  <>
    <p>Para cuidar tu dinero te pedimos tu contraseña, y todavía no tienes. Créala primero en «Mi cuenta».</p>
    <LinkButton to="/?cuenta#contrasena" variant="ghost" className="justify-self-start">
      Crear mi contraseña
    </LinkButton>
  </>
)

type AskRefundProps = {
  projectId: string
  credit: number
  hasPassword: boolean
  result: FormResult | undefined
}

/** Asks for what there is too much of. */
export const AskRefund = ({ credit, hasPassword, projectId, result }: AskRefundProps) => (
  <Card title={`Tienes ${money(credit)} a tu favor`}>
    <Details summary="Pedir que me lo devuelvan" open={result !== undefined}>
      {hasPassword ? (
        <Form result={result}>
          <input type="hidden" name="projectId" value={projectId} />
          <TextArea label="¿Por qué lo pides?" name="reason" maxLength={500} />
          <AccountFields clabe={null} beneficiary={null} />
          <OwnPassword />
          <Submit name="intent" value="ask-refund">
            Pedir reembolso
          </Submit>
        </Form>
      ) : (
        <PasswordFirst />
      )}
    </Details>
  </Card>
)
