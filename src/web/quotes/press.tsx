import type { ComponentProps } from 'react'
import { Button } from '../ui/button.tsx'

type PressProps = Omit<ComponentProps<typeof Button>, 'type' | 'name' | 'onClick'> & {
  value: string
  onPress: () => void
}

/** A button of the builder: it changes what is on the page, or, without JavaScript, sends it to be changed. */
export const Press = ({ onPress, value, ...rest }: PressProps) => (
  <Button
    variant="ghost"
    {...rest}
    type="submit"
    name="edit"
    value={value}
    onClick={(event) => {
      event.preventDefault()
      onPress()
    }}
  />
)
