import { useFormAction, useNavigation } from 'react-router'
import { Button } from './button.tsx'
import { useIsSentHere } from './form.tsx'

type SubmitProps = Omit<Parameters<typeof Button>[0], 'type' | 'pending' | 'name' | 'value'> & {
  name?: string
  value?: string
}

/** The button that sends its form; while that form travels, it is the pressed one that shows it. */
export function Submit({ formAction, name, value, ...rest }: SubmitProps) {
  const navigation = useNavigation()
  const own = useFormAction(typeof formAction === 'string' ? formAction : undefined)
  const sent = navigation.state !== 'idle' && navigation.formAction === own ? navigation.formData : undefined
  const isSentHere = useIsSentHere(sent)
  const pressed = isSentHere && (name === undefined || sent?.get(name) === value)
  return (
    <Button {...rest} type="submit" formAction={formAction} name={name} value={value} pending={pressed} />
  )
}
