/** The id of the form that the boxes of the lines belong to. */
export const tickedForm = 'marcadas'
export const workIntents = ['assign-work', 'snooze-work', 'return-work']
