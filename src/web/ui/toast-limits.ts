/** Every constant of the toast, with the section of the specification it comes from. */
export const toastLimits = {
  /** Toasts shown at once (§4, §9). */
  atOnce: 1,
  /** Milliseconds until it closes by itself; the time stops while it is hovered or focused (§4, §9). */
  duration: 5000,
  /** Pixels to the right after which a swipe closes it (§4, §9). */
  swipeThreshold: 50,
  swipeDirection: 'right',
  /** The key that brings the focus to the toasts (§9). */
  hotkey: 'F8',
  /** Milliseconds a dismissed toast is still kept before it is removed (§4, §9). */
  removeDelay: 1_000_000,
} as const

/** Widest the area gets from md on: 420 px (§9). Written out, since Tailwind reads class names as text. */
export const toastAreaClass = 'md:max-w-[420px]'
