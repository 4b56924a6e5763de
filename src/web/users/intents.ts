/** What each form of the schedule cards names itself by, in its field `intent`. */
export const intents = {
  shifts: 'staffing.shifts',
  zones: 'staffing.zones',
  timeOff: 'staffing.timeOff',
  removeTimeOff: 'staffing.removeTimeOff',
  approveTimeOff: 'staffing.approveTimeOff',
  refuseTimeOff: 'staffing.refuseTimeOff',
} as const
