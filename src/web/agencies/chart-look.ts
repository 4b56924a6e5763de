/** How the charts of the page look, in both palettes. */
export const small = { fontSize: 12, fill: 'var(--color-mute)' }
export const boxed = {
  background: 'var(--color-card)',
  border: '1px solid var(--color-line)',
  borderRadius: 'var(--radius-control)',
}
export const whole = { width: '100%', height: '100%' }
export const pointed = { fill: 'var(--color-hover)' }
