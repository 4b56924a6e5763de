import { thousands } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, useFormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import type { EditedAgency } from './agency-fields.tsx'

type AgencySwitchProps = {
  agency: EditedAgency
  /** How many of its allies have a session open. */
  signedIn: number
}

/** Takes an agency out, after saying what that does, or lets it in again. */
export function AgencySwitch({ agency: { active, name, version }, signedIn }: AgencySwitchProps) {
  const result = useFormResult('switch')
  const form = (
    <Form intent="switch">
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="active" value={active ? 'no' : 'yes'} />
      <Submit variant={active ? 'destructive' : 'ghost'}>
        {active ? 'Sí, desactivar' : 'Activar concesionaria'}
      </Submit>
    </Form>
  )
  if (!active)
    return (
      <Card title="Está inactiva">
        <p className="text-[0.9375rem] text-mute">Sus aliados no pueden entrar y sus códigos no sirven.</p>
        {form}
      </Card>
    )
  return (
    <Card title="Está activa">
      <p className="text-[0.9375rem] text-mute">Sus aliados entran y sus códigos sirven.</p>
      <Dialog
        key={version}
        trigger="Desactivar"
        variant="ghost"
        title={`¿Desactivar ${name}?`}
        description={`${whoIsIn(signedIn)} Mientras esté inactiva, sus aliados no pueden entrar y sus códigos no sirven.`}
        defaultOpen={result !== undefined}
      >
        {form}
      </Dialog>
    </Card>
  )
}

function whoIsIn(count: number): string {
  if (count === 0) return 'Ninguno de sus aliados tiene la sesión abierta.'
  if (count === 1) return 'La sesión de 1 aliado se cierra en este momento.'
  return `Las sesiones de ${thousands(count)} aliados se cierran en este momento.`
}
