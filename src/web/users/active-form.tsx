import type { Failure } from '../lib/submit.ts'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { AffectedAppointments, affectedIn } from './affected.tsx'

type ActiveFormProps = {
  version: number
  active: boolean
  own: boolean
  /** Why it can't be deactivated now. */
  barred: string | null
  result: Failure | undefined
}

/** Whether somebody may come in at all. */
export function ActiveForm({ version, active, own, barred, result }: ActiveFormProps) {
  return (
    <Card title="Acceso">
      <p className="text-mute">
        {active
          ? 'Su cuenta está activa. Al desactivarla se cierran sus sesiones y ya no puede entrar; su historial se conserva.'
          : 'Su cuenta está inactiva: no puede entrar ni recibir citas.'}
      </p>
      {active && barred ? (
        <p>{barred}</p>
      ) : (
        <Form result={result}>
          <input type="hidden" name="intent" value="active" />
          <input type="hidden" name="version" value={version} />
          <input type="hidden" name="active" value={active ? 'no' : 'yes'} />
          {own && <Checkbox label="Entiendo que pierdo el acceso a mi cuenta" name="confirmed" value="yes" />}
          <AffectedAppointments affected={affectedIn(result)} />
          <Submit variant={active ? 'destructive' : 'primary'} className="sm:justify-self-start">
            {active ? 'Desactivar cuenta' : 'Activar cuenta'}
          </Submit>
        </Form>
      )}
    </Card>
  )
}
