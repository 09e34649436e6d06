/** Icons of the actions of the audit log. */
import { ExclamationTriangleIcon, KeyIcon, PaperAirplaneIcon, PauseIcon } from '../../ui/icons.ts'
import {
  ArrowLeftStartOnRectangleIcon,
  ArrowPathIcon,
  ArrowRightEndOnRectangleIcon,
  LockClosedIcon,
  PencilSquareIcon,
  PlayIcon,
  PlusIcon,
  TrashIcon,
  UserMinusIcon,
  UserPlusIcon,
  XCircleIcon,
} from '../../ui/page-icons.ts'
import type { Action } from './filters.ts'

type Icon = typeof KeyIcon

/** Icons by the beginning of the action's name. The first match wins. */
const icons: [beginnings: string, icon: Icon][] = [
  ['signInFailed', ExclamationTriangleIcon],
  ['signIn', ArrowRightEndOnRectangleIcon],
  ['signOut endSession endOtherSessions', ArrowLeftStartOnRectangleIcon],
  ['changePassword resetPassword confirm removeTotp renewRecoveryCodes', LockClosedIcon],
  ['inviteMember acceptInvitation enableUser', UserPlusIcon],
  ['removeMember disableUser', UserMinusIcon],
  ['issue make rotate', KeyIcon],
  ['delete revoke erase disconnect void', TrashIcon],
  ['hold pause', PauseIcon],
  ['release resume start publish', PlayIcon],
  ['stop cancel', XCircleIcon],
  ['retry', ArrowPathIcon],
  ['test send', PaperAirplaneIcon],
  ['create connect add', PlusIcon],
]

/** Returns the icon of an action. A change has the default. */
export const actionIcon = (action: Action): Icon =>
  icons.find(([beginnings]) => beginnings.split(' ').some(beginning => action.startsWith(beginning)))?.[1] ??
  PencilSquareIcon
